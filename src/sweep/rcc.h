/* rcc.h - which clock the chip's own registers make: RCC_CFGR as the board read it. */
#ifndef RTB_SWEEP_RCC_H
#define RTB_SWEEP_RCC_H

#include <stdint.h>

/* HCLK in Hz; 0 when the family is not known or the registers select what cannot be. hxtal_hz
 * is the crystal, should they select it. */
uint32_t rtb_rcc_hclk(const char *family, uint32_t cfgr, uint32_t hxtal_hz);

#endif
