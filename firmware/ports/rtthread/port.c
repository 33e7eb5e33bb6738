/* port.c - RT-Thread Nano behind port.h, what need not be inline. */
#include "core/board.h"
#include "core/fault.h"
#include "rtbench/port.h"
#include "rthw.h"

#define STRING(x) #x
#define VERSION(major, minor, patch) STRING(major) "." STRING(minor) "." STRING(patch)

const char rtb_kernel_name[] = "rtthread";
const char rtb_kernel_version[] = VERSION(RT_VERSION, RT_SUBVERSION, RT_REVISION);
const char rtb_port_version[] = RTB_PORT_VERSION;

#define SHPR3          (*(volatile uint32_t *)0xE000ED20) /* DDI 0403E B3.2.12 */
#define LOWEST         0xF0u
#define SLICE          0x7fffffffu /* ticks */
#define PRIORITY(prio) (RT_THREAD_PRIORITY_MAX - 1 - (prio))

void rtb_rtthread_tick(void)
{
	rt_interrupt_enter();
	rt_tick_increase();
	rt_interrupt_leave();
}

#if RTB_INSTR

struct trace {
	uint32_t cycles, what;
};
static struct trace ring[64];
static uint32_t traced;

/* Event in the top byte, low 24 bits of an address below. */
static void trace(uint32_t event, const void *object)
{
	struct trace *t = &ring[traced++ % 64];
	t->cycles = DWT_CYCCNT;
	t->what = event << 24 | ((uint32_t)object & 0xffffff);
}

static void on_switch(struct rt_thread *from, struct rt_thread *to)
{
	(void)from;
	trace(1, to);
}

static void on_take(struct rt_object *object) { trace(2, object); }
static void on_put(struct rt_object *object) { trace(3, object); }

static void on_assert(const char *what, const char *function, rt_size_t line)
{
	(void)what, (void)function, (void)line;
	rtb_panic((uint32_t)__builtin_return_address(0));
}

static void set_hooks(void)
{
	rt_assert_set_hook(on_assert);
	rt_scheduler_sethook(on_switch);
	rt_object_take_sethook(on_take);
	rt_object_put_sethook(on_put);
}

#else

static void set_hooks(void)
{
}

#endif

void rtb_kernel_run(void (*setup)(void))
{
	(void)rt_hw_interrupt_disable();
	set_hooks();
	rt_system_timer_init();
	rt_system_scheduler_init();
	setup();
	rt_thread_idle_init();
	SHPR3 = (SHPR3 & 0x0000ffff) | LOWEST << 24 | LOWEST << 16; /* SysTick, PendSV */
	SYST_RVR = BOARD_HCLK / RTB_TICK_HZ - 1;
	SYST_CVR = 0;
	SYST_CSR = 7; /* core clock, interrupt, on */
	rt_system_scheduler_start();
	__builtin_unreachable();
}

void rtb_task_create(rtb_task *t, const char *name, void (*fn)(void *), void *arg, unsigned prio,
		     uint32_t *stack, size_t bytes)
{
	(void)rt_thread_init(t, name, fn, arg, stack, bytes, PRIORITY(prio), SLICE);
	(void)rt_thread_startup(t);
}
