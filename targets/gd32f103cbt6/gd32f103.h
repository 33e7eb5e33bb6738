/* gd32f103.h - the registers of the GD32F103 that the bench uses, under the names that the
 * register map shares with STM32F103 (the GigaDevice name beside them where it differs).
 *
 * Source: GD32F10x User Manual, chapters RCU (5), FMC (2), GPIO (7), TIMER (15), USART (16).
 */
#ifndef GD32F103_H
#define GD32F103_H

#include "core/armv7m.h"

/* RCU. PLLMF is five bits wide here, its top bit being CFG0 bit 27: factor n is written as
 * n - 1 for n above 16 (n = 27: 0b1_1010). */
#define RCC_CR      RTB_REG(0x40021000) /* RCU_CTL */
#define RCC_CFGR    RTB_REG(0x40021004) /* RCU_CFG0 */
#define RCC_APB2ENR RTB_REG(0x40021018)
#define RCC_APB1ENR RTB_REG(0x4002101C)
#define RCC_CSR     RTB_REG(0x40021024) /* RCU_RSTSCK */

#define RCC_CR_HSION   (1u << 0)  /* IRC8M */
#define RCC_CR_HSIRDY  (1u << 1)
#define RCC_CR_PLLON   (1u << 24)
#define RCC_CR_PLLRDY  (1u << 25)
#define RCC_CFGR_SW_PLL   (2u << 0)
#define RCC_CFGR_SWS_PLL  (2u << 2)
#define RCC_CFGR_SWS_MASK (3u << 2)
#define RCC_CFGR_PPRE1_DIV2 (4u << 8)
#define RCC_CFGR_PLLMUL(n) /* n = 17..32 */ (((((n) - 1) & 15u) << 18) | (1u << 27))
#define RCC_APB2ENR_IOPA   (1u << 2)
#define RCC_APB2ENR_USART1 (1u << 14)
#define RCC_APB1ENR_TIM2   (1u << 0)
#define RCC_APB1ENR_TIM3   (1u << 1)
#define RCC_CSR_RMVF     (1u << 24)
#define RCC_CSR_PINRSTF  (1u << 26)
#define RCC_CSR_PORRSTF  (1u << 27)
#define RCC_CSR_SFTRSTF  (1u << 28)
#define RCC_CSR_IWDGRSTF (1u << 29)
#define RCC_CSR_WWDGRSTF (1u << 30)

/* FMC_WS: its wait-state count is valid only when FMC_WSEN (0x400220FC) bit 0 is set, which
 * it is not after reset; code in the first 256 KB runs without wait states at any clock. */
#define FLASH_ACR RTB_REG(0x40022000)

#define GPIOA_CRH RTB_REG(0x40010804)
#define GPIOA_ODR RTB_REG(0x4001080C)

#define USART1_SR  RTB_REG(0x40013800) /* USART0 */
#define USART1_DR  RTB_REG(0x40013804)
#define USART1_BRR RTB_REG(0x40013808)
#define USART1_CR1 RTB_REG(0x4001380C)
#define USART_SR_RXNE (1u << 5)
#define USART_SR_TC   (1u << 6)
#define USART_SR_TXE  (1u << 7)
#define USART_CR1_RE  (1u << 2)
#define USART_CR1_TE  (1u << 3)
#define USART_CR1_UE  (1u << 13)

/* General-purpose timers, 16 bits: TIM2 = TIMER1, TIM3 = TIMER2. */
#define TIM2_BASE 0x40000000u
#define TIM3_BASE 0x40000400u
#define TIM_CR1(base)  RTB_REG((base) + 0x00)
#define TIM_DIER(base) RTB_REG((base) + 0x0C)
#define TIM_SR(base)   RTB_REG((base) + 0x10)
#define TIM_EGR(base)  RTB_REG((base) + 0x14)
#define TIM_CNT(base)  RTB_REG((base) + 0x24)
#define TIM_PSC(base)  RTB_REG((base) + 0x28)
#define TIM_ARR(base)  RTB_REG((base) + 0x2C)
#define TIM_CR1_CEN  (1u << 0)
#define TIM_CR1_URS  (1u << 2) /* EGR.UG raises no update flag */
#define TIM_DIER_UIE (1u << 0)
#define TIM_SR_UIF   (1u << 0)
#define TIM_EGR_UG   (1u << 0)
#define TIM3_IRQ 29

#define DBGMCU_CR RTB_REG(0xE0042004) /* DBG_CTL */

#endif
