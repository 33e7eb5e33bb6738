/* fw.h - what the small programs share: registers by address, semihosting, and the rule that a
 * program fails unless it says that it succeeded. */
#ifndef FW_H
#define FW_H

#include <stdint.h>

#define REG(addr) (*(volatile uint32_t *)(addr))

#define RCC_CR      REG(0x40021000)
#define RCC_CFGR    REG(0x40021004)
#define RCC_APB2ENR REG(0x40021018)
#define RCC_APB1ENR REG(0x4002101C)
#define RCC_CSR     REG(0x40021024)
#define USART_SR    REG(0x40013800)
#define USART_DR    REG(0x40013804)
#define USART_BRR   REG(0x40013808)
#define USART_CR1   REG(0x4001380C)
#define DEMCR       REG(0xE000EDFC)
#define DWT_CTRL    REG(0xE0001000)
#define DWT_CYCCNT  REG(0xE0001004)
#define AIRCR       REG(0xE000ED0C)
#define NVIC_ISER(irq) REG(0xE000E100 + 4 * ((irq) / 32))

int main(void);
/* Handlers that a program may define; undefined ones count as failure. */
void irq_handler(unsigned exception);

static inline uint32_t semihost(uint32_t op, const void *arg)
{
	register uint32_t r0 __asm__("r0") = op;
	register const void *r1 __asm__("r1") = arg;
	__asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
	return r0;
}

static inline void say(const char *text) { semihost(4, text); }

static inline void __attribute__((noreturn)) leave(uint32_t code)
{
	const uint32_t block[2] = { 0x20026, code };
	semihost(0x20, block);
	for (;;)
		;
}

#define CHECK(cond) \
	do { if (!(cond)) { say(__FILE__ ": " #cond "\n"); leave(1); } } while (0)

/* 108 MHz: IRC8M / 2 x 27, APB1 at 54 MHz. */
static inline void clock_108(void)
{
	RCC_CFGR = 10u << 18 | 1u << 27 | 4u << 8;
	RCC_CR |= 1u << 24;
	while (!(RCC_CR & 1u << 25))
		;
	RCC_CFGR |= 2;
	while ((RCC_CFGR >> 2 & 3) != 2)
		;
}

static inline void cycle_counter_on(void)
{
	DEMCR |= 1u << 24;
	DWT_CYCCNT = 0;
	DWT_CTRL |= 1;
}

#endif
