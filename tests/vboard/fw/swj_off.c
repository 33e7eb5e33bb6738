/* Gives the debug port's pins away at once, as firmware does that needs them for itself: from
 * then on a probe reaches the chip only while it is held in reset. */
#include "fw.h"

int main(void)
{
	RCC_APB2ENR = 1u << 0;
	REG(0x40010004) = 4u << 24; /* AFIO_MAPR, SWJ_CFG */
	for (;;)
		;
}
