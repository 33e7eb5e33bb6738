/* Fields of RCC_CFGR: RM0008 7.3.2 (STM32F1), GD32F10x user manual 5.3.2 (RCU_CFG0). The two
 * agree but for the multiplier, which GigaDevice extends by bit 27. */
#include "sweep/rcc.h"

#include <string.h>

#define INTERNAL_HZ 8000000u

/* PLL multiplier: 2..16 in bits 21:18 (14 and 15 both mean 16), 17..32 with bit 27. */
static uint32_t multiplier(const char *family, uint32_t cfgr)
{
	uint32_t low = cfgr >> 18 & 15;
	if (strcmp(family, "gd32f10x") == 0 && (cfgr & (1u << 27)))
		return 17 + low;
	return low >= 14 ? 16 : 2 + low;
}

uint32_t rtb_rcc_hclk(const char *family, uint32_t cfgr, uint32_t hxtal_hz)
{
	if (strcmp(family, "gd32f10x") != 0 && strcmp(family, "stm32f1") != 0)
		return 0;
	uint64_t sysclk;
	switch (cfgr >> 2 & 3) { /* SWS: what is in use, not what was asked for */
	case 0:
		sysclk = INTERNAL_HZ;
		break;
	case 1:
		sysclk = hxtal_hz;
		break;
	case 2: {
		uint64_t in = !(cfgr & (1u << 16)) ? INTERNAL_HZ / 2 : cfgr & (1u << 17) ? hxtal_hz / 2 : hxtal_hz;
		sysclk = in * multiplier(family, cfgr);
		break;
	}
	default:
		return 0;
	}
	static const uint16_t ahb[] = {2, 4, 8, 16, 64, 128, 256, 512}; /* HPRE 1000 .. 1111 */
	uint32_t hpre = cfgr >> 4 & 15;
	return (uint32_t)(hpre < 8 ? sysclk : sysclk / ahb[hpre - 8]);
}
