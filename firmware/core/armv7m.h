/* armv7m.h - the ARMv7-M registers that the bench itself touches.
 *
 * Addresses and bits: ARMv7-M Architecture Reference Manual (DDI 0403E), B3.2 system control
 * space, B3.3 SysTick, B3.4 NVIC, C1.6 debug registers, C1.8 DWT. The kernels bring their own
 * definitions; nothing here is shared with them.
 */
#ifndef RTB_ARMV7M_H
#define RTB_ARMV7M_H

#include <stdint.h>

#define RTB_REG(addr) (*(volatile uint32_t *)(addr))

#define SYST_CSR RTB_REG(0xE000E010) /* 0 enable, 1 interrupt, 2 clock is HCLK, 16 has wrapped */
#define SYST_RVR RTB_REG(0xE000E014)
#define SYST_CVR RTB_REG(0xE000E018) /* counts down; any write sets it to 0 */

#define NVIC_ISER(n) RTB_REG(0xE000E100 + 4 * (n))
#define NVIC_ICER(n) RTB_REG(0xE000E180 + 4 * (n))
#define NVIC_ICPR(n) RTB_REG(0xE000E280 + 4 * (n))
#define NVIC_IPR(irq) (*(volatile uint8_t *)(0xE000E400 + (irq)))
#define NVIC_STIR RTB_REG(0xE000EF00) /* write a line's number: it becomes pending */

#define SCB_CPUID RTB_REG(0xE000ED00)
#define SCB_ICSR  RTB_REG(0xE000ED04)
#define SCB_VTOR  RTB_REG(0xE000ED08)
#define SCB_AIRCR RTB_REG(0xE000ED0C)
#define SCB_CFSR  RTB_REG(0xE000ED28)
#define SCB_HFSR  RTB_REG(0xE000ED2C)
#define SCB_MMFAR RTB_REG(0xE000ED34)
#define SCB_BFAR  RTB_REG(0xE000ED38)

#define SCB_ICSR_PENDSTCLR   (1u << 25)
#define SCB_AIRCR_VECTKEY    (0x05FAu << 16)
#define SCB_AIRCR_PRIGROUP   (7u << 8)
#define SCB_AIRCR_SYSRESETREQ (1u << 2)

#define DCB_DHCSR RTB_REG(0xE000EDF0)
#define DCB_DEMCR RTB_REG(0xE000EDFC)
#define DCB_DEMCR_TRCENA (1u << 24)

#define DWT_CTRL   RTB_REG(0xE0001000)
#define DWT_CYCCNT_ADDR 0xE0001004u
#define DWT_CYCCNT RTB_REG(DWT_CYCCNT_ADDR)
#define DWT_CTRL_CYCCNTENA (1u << 0)

/* Code that is measured, or stands between a counter read and the measured call, must not
 * turn into a call at -O0. */
#define RTB_INLINE static inline __attribute__((always_inline))

RTB_INLINE uint32_t armv7m_irq_save(void)
{
	uint32_t primask;
	__asm volatile("mrs %0, primask\n\tcpsid i" : "=r"(primask) : : "memory");
	return primask;
}

RTB_INLINE void armv7m_irq_restore(uint32_t primask)
{
	__asm volatile("msr primask, %0" : : "r"(primask) : "memory");
}

RTB_INLINE void armv7m_sync(void)
{
	__asm volatile("dsb\n\tisb" : : : "memory");
}

/* Number of the exception being served, 0 in thread mode. */
RTB_INLINE uint32_t armv7m_exception(void)
{
	uint32_t ipsr;
	__asm volatile("mrs %0, ipsr" : "=r"(ipsr));
	return ipsr;
}

/* Line irq (0..239) gets priority byte prio and is let through; pendings are forgotten. */
static inline void armv7m_irq_enable(unsigned irq, uint8_t prio)
{
	NVIC_IPR(irq) = prio;
	NVIC_ICPR(irq / 32) = 1u << (irq % 32);
	NVIC_ISER(irq / 32) = 1u << (irq % 32);
}

static inline void armv7m_irq_disable(unsigned irq)
{
	NVIC_ICER(irq / 32) = 1u << (irq % 32);
	armv7m_sync();
}

#endif
