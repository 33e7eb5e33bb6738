/* Says that it failed. */
#include "fw.h"

int main(void)
{
	CHECK(1 + 1 == 3);
	return 0;
}
