/* board.c - start of the board, its two timers and what it knows about itself. */
#include "core/board.h"
#include "clock.h"
#include "uart.h"

extern const uint8_t rtb_build_id_note[]; /* linker script: start of .note.gnu.build-id */

static uint32_t reset_flags;

void board_init(void)
{
	reset_flags = RCC_CSR;
	RCC_CSR |= RCC_CSR_RMVF;
	clock_init();
	uart_init();
	RCC_APB1ENR |= RCC_APB1ENR_TIM2 | RCC_APB1ENR_TIM3;
	board_timer_reset();
}

void board_timer_reset(void)
{
	TIM_CR1(TIM2_BASE) = 0;
	TIM_PSC(TIM2_BASE) = (1u << BOARD_TIMER_SHIFT) - 1;
	TIM_ARR(TIM2_BASE) = 0xFFFF;
	TIM_EGR(TIM2_BASE) = TIM_EGR_UG; /* loads the prescaler, clears count and prescaler count */
	TIM_CR1(TIM2_BASE) = TIM_CR1_CEN;
}

uint32_t board_timer_now(void)
{
	return TIM_CNT(TIM2_BASE);
}

void board_event_start(uint32_t cycles)
{
	uint32_t prescaler = (cycles - 1) / 65536 + 1;
	TIM_CR1(TIM3_BASE) = TIM_CR1_URS;
	TIM_PSC(TIM3_BASE) = prescaler - 1;
	TIM_ARR(TIM3_BASE) = cycles / prescaler - 1;
	TIM_EGR(TIM3_BASE) = TIM_EGR_UG;
	TIM_SR(TIM3_BASE) = 0;
	TIM_DIER(TIM3_BASE) = TIM_DIER_UIE;
	TIM_CR1(TIM3_BASE) = TIM_CR1_URS | TIM_CR1_CEN;
}

void board_event_stop(void)
{
	TIM_CR1(TIM3_BASE) = 0;
	TIM_DIER(TIM3_BASE) = 0;
	TIM_SR(TIM3_BASE) = 0;
}

bool board_reset_was_power(void)
{
	return reset_flags & RCC_CSR_PORRSTF;
}

const char *board_reset_cause(void)
{
	/* The chip pulls its own reset pin for every kind of reset, so PINRSTF alone says pin. */
	if (reset_flags & RCC_CSR_PORRSTF)
		return "power";
	if (reset_flags & (RCC_CSR_IWDGRSTF | RCC_CSR_WWDGRSTF))
		return reset_flags & RCC_CSR_SFTRSTF ? "software+watchdog" : "watchdog";
	if (reset_flags & RCC_CSR_SFTRSTF)
		return "software";
	return reset_flags & RCC_CSR_PINRSTF ? "pin" : "unknown";
}

void board_registers(void (*each)(const char *name, uint32_t value))
{
	each("dbgmcu_cr", DBGMCU_CR);
	each("rcc_cr", RCC_CR);
	each("rcc_cfgr", RCC_CFGR);
	each("flash_acr", FLASH_ACR);
}

void board_reset(void)
{
	armv7m_sync();
	SCB_AIRCR = SCB_AIRCR_VECTKEY | (SCB_AIRCR & SCB_AIRCR_PRIGROUP) | SCB_AIRCR_SYSRESETREQ;
	armv7m_sync();
	for (;;)
		;
}

const uint8_t *board_build_id(void)
{
	return rtb_build_id_note + 16; /* note header 12 bytes, name "GNU\0" */
}
