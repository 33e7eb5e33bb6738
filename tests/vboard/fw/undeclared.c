/* Never says that it succeeded: the board must not call that success. */
#include "fw.h"

int main(void)
{
	for (;;)
		;
}
