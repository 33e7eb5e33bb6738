/* cpu_core.h - what the files of the core share: decoded instructions, flags, data access.
 *
 * Every half-word of a memory that code runs from has a struct vb_op. It starts undecoded and is
 * decoded when it is first executed; the loop in cpu.c then does nothing but call op->fn, which
 * returns the next op. The program counter exists only as the op's place in its array
 * (vb_pc()); c->r[15] holds it while nothing executes.
 *
 * Time: op->cycles is what the instruction costs whatever its operands (the overlap of
 * neighbouring loads included, see cpu_decode.c); executors add what depends on operands.
 */
#ifndef VB_CPU_CORE_H
#define VB_CPU_CORE_H

#include <endian.h>
#include <string.h>

#include "vboard/machine.h"

#define VB_LIKELY(x) __builtin_expect(!!(x), 1)
#define VB_UNLIKELY(x) __builtin_expect(!!(x), 0)

typedef struct vb_op *vb_exec_fn(struct vb_cpu *c, struct vb_op *op);

struct vb_op {
	vb_exec_fn *fn;   /* what the loop calls */
	vb_exec_fn *exec; /* the instruction itself, where fn wraps it (IT, writes to SP) */
	uint32_t imm;     /* constant, offset, or signed distance to a branch target in ops */
	uint32_t imm2;
	uint8_t rd, rn, rm, ra;
	uint8_t cycles;
	uint8_t len;      /* half-words; 0: not decoded */
	uint8_t it;       /* ITSTATE while it executes */
	uint8_t straddle : 1;  /* 32-bit instruction across two words: a refill fetches twice */
	uint8_t writes_sp : 1; /* SP bits 1:0 need clearing afterwards */
};

#define VB_NEXT(op) ((op) + (op)->len)

static inline uint32_t vb_pc(const struct vb_cpu *c, const struct vb_op *op)
{
	return c->code->base + ((uint32_t)(op - c->code->ops) << 1);
}

/* --- cpu_code.c: decoded memory ------------------------------------------------------- */

/* The op at addr; afterwards c->code is its memory. Addresses that cannot be executed, or any
 * address while EPSR.T is 0, give an op that raises the fault. */
struct vb_op *vb_code_goto(struct vb_cpu *c, uint32_t addr);
/* From c->r[15] and c->it into execution and back. */
struct vb_op *vb_code_resume(struct vb_cpu *c);
void vb_code_suspend(struct vb_cpu *c, struct vb_op *op);
/* Whether a 32-bit instruction across two words stands at c->r[15]. */
bool vb_code_straddles(struct vb_cpu *c);
/* Forgets what was decoded from [addr, addr+size) and what looked ahead into it. */
void vb_code_changed(void *cpu, uint32_t addr, uint32_t size);
void vb_code_forget_all(struct vb_cpu *c);
void vb_code_free(struct vb_cpu *c);
vb_exec_fn vb_x_undecoded, vb_x_edge, vb_x_cut_off, vb_x_nowhere;

/* --- cpu_decode.c --------------------------------------------------------------------- */
void vb_decode(struct vb_cpu *c, struct vb_op *op);

/* --- cpu_exc.c, cpu_fault.c ----------------------------------------------------------- */

int vb_exec_priority(const struct vb_cpu *c); /* 256 when nothing is active or masked */
/* The pending, enabled exception that would be taken now, 0 when none has the priority. */
unsigned vb_exc_ready(const struct vb_cpu *c);
bool vb_exc_any_pending(const struct vb_cpu *c); /* whatever the masks say */
unsigned vb_exc_highest_pending(const struct vb_cpu *c); /* likewise; 0: none */
void vb_exc_enter(struct vb_cpu *c, unsigned exc);
void vb_exc_return(struct vb_cpu *c, uint32_t value);
void vb_exc_pend(struct vb_cpu *c, unsigned exc);
void vb_exc_unpend(struct vb_cpu *c, unsigned exc);
/* Group priority of a priority value under AIRCR.PRIGROUP. */
int vb_exc_group(const struct vb_cpu *c, int prio);

/* A fault by the instruction under way: records the CFSR bits and pends the fault, HardFault
 * where it cannot be taken, or locks up. The executor then returns its own op. */
void vb_fault(struct vb_cpu *c, unsigned exc, uint32_t cfsr);
struct vb_op *vb_usage_fault(struct vb_cpu *c, struct vb_op *op, uint32_t cfsr);
void vb_lockup(struct vb_cpu *c);
void vb_svc(struct vb_cpu *c);
void vb_sleep(struct vb_cpu *c, bool wfe);
/* Wakes a sleeping core when what it waits for has come. */
void vb_wake_check(struct vb_cpu *c);

enum {
	CFSR_IACCVIOL = 1u << 0, CFSR_DACCVIOL = 1u << 1, CFSR_MUNSTKERR = 1u << 3,
	CFSR_MSTKERR = 1u << 4, CFSR_MMARVALID = 1u << 7,
	CFSR_IBUSERR = 1u << 8, CFSR_PRECISERR = 1u << 9, CFSR_IMPRECISERR = 1u << 10,
	CFSR_UNSTKERR = 1u << 11, CFSR_STKERR = 1u << 12, CFSR_BFARVALID = 1u << 15,
	CFSR_UNDEFINSTR = 1u << 16, CFSR_INVSTATE = 1u << 17, CFSR_INVPC = 1u << 18,
	CFSR_NOCP = 1u << 19, CFSR_UNALIGNED = 1u << 24, CFSR_DIVBYZERO = 1u << 25,
	HFSR_VECTTBL = 1u << 1, HFSR_FORCED = 1u << 30, HFSR_DEBUGEVT = 1u << 31,
	CCR_NONBASETHRDENA = 1u << 0, CCR_USERSETMPEND = 1u << 1, CCR_UNALIGN_TRP = 1u << 3,
	CCR_DIV_0_TRP = 1u << 4, CCR_BFHFNMIGN = 1u << 8, CCR_STKALIGN = 1u << 9,
	SHCSR_MEMENA = 1u << 16, SHCSR_BUSENA = 1u << 17, SHCSR_USGENA = 1u << 18,
	SCR_SLEEPONEXIT = 1u << 1, SCR_SLEEPDEEP = 1u << 2, SCR_SEVONPEND = 1u << 4,
	ACTLR_DISDEFWBUF = 1u << 1,
	DHCSR_DEBUGEN = 1u << 0, DHCSR_HALT = 1u << 1, DHCSR_STEP = 1u << 2,
	DHCSR_MASKINTS = 1u << 3,
	DEMCR_VC_CORERESET = 1u << 0, DEMCR_VC_MMERR = 1u << 4, DEMCR_VC_NOCPERR = 1u << 5,
	DEMCR_VC_CHKERR = 1u << 6, DEMCR_VC_STATERR = 1u << 7, DEMCR_VC_BUSERR = 1u << 8,
	DEMCR_VC_INTERR = 1u << 9, DEMCR_VC_HARDERR = 1u << 10, DEMCR_MON_EN = 1u << 16,
	DEMCR_MON_PEND = 1u << 17, DEMCR_MON_STEP = 1u << 18, DEMCR_TRCENA = 1u << 24,
	DFSR_HALTED = 1u << 0, DFSR_BKPT = 1u << 1, DFSR_DWTTRAP = 1u << 2,
	DFSR_VCATCH = 1u << 3, DFSR_EXTERNAL = 1u << 4,
};

/* --- registers ------------------------------------------------------------------------ */

uint32_t vb_apsr(const struct vb_cpu *c);
void vb_apsr_set(struct vb_cpu *c, uint32_t v);
uint32_t vb_xpsr(const struct vb_cpu *c); /* with the IT and T bits */
/* Puts the main or the process stack pointer into r13. */
void vb_sp_select(struct vb_cpu *c, bool psp);
void vb_control_set(struct vb_cpu *c, uint32_t v);
static inline bool vb_privileged(const struct vb_cpu *c)
{
	return c->ipsr != 0 || !(c->control & 1);
}
/* Makes the loop look up before the next instruction. */
static inline void vb_attention(struct vb_cpu *c)
{
	c->horizon = 0;
}

static inline void vb_flags_nz(struct vb_cpu *c, uint32_t result)
{
	c->n = result;
	c->z = result;
}

/* a + b + carry_in with all four flags (AddWithCarry, A2.2.1). */
static inline uint32_t vb_add_flags(struct vb_cpu *c, uint32_t a, uint32_t b, uint32_t carry_in)
{
	uint64_t wide = (uint64_t)a + b + carry_in;
	uint32_t r = (uint32_t)wide;
	c->c = (uint32_t)(wide >> 32);
	c->v = (a ^ r) & (b ^ r);
	vb_flags_nz(c, r);
	return r;
}

static inline bool vb_condition(const struct vb_cpu *c, unsigned cond)
{
	bool n = c->n >> 31, z = c->z == 0, v = c->v >> 31, r;
	switch (cond >> 1) {
	case 0: r = z; break;
	case 1: r = c->c; break;
	case 2: r = n; break;
	case 3: r = v; break;
	case 4: r = c->c && !z; break;
	case 5: r = n == v; break;
	case 6: r = !z && n == v; break;
	default: return true;
	}
	return r != (cond & 1);
}

/* --- branches ------------------------------------------------------------------------- */

/* Pipeline refill after a taken branch: `p` cycles and one more when the target straddles two
 * words, three at most (docs/virtual-board-timing.md, "Refill"). */
enum vb_refill { VB_REFILL_DIRECT = 1, VB_REFILL_REGISTER = 2, VB_REFILL_LOADED = 3 };

static inline struct vb_op *vb_refill(struct vb_cpu *c, struct vb_op *target, unsigned p)
{
	if (VB_UNLIKELY(target->len == 0 && target->fn == vb_x_undecoded))
		vb_decode(c, target);
	p += target->straddle;
	c->cycles += p > 3 ? 3 : p;
	return target;
}

/* BXWritePC: interworking bit, EXC_RETURN. */
struct vb_op *vb_branch_exchange(struct vb_cpu *c, struct vb_op *op, uint32_t addr, unsigned p);
/* BranchWritePC: bit 0 ignored. */
struct vb_op *vb_branch_to(struct vb_cpu *c, uint32_t addr, unsigned p);

/* --- data access (cpu_access.c) ------------------------------------------------------- */

/* Everything the direct path does not take: devices, bit-band, unaligned, watchpoints, faults.
 * False: a fault has been raised. */
bool vb_slow_read(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t *value);
bool vb_slow_write(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t value);
/* Exception frames: no unaligned or privilege rules, failures told to the caller alone. */
bool vb_stack_read(struct vb_cpu *c, uint32_t addr, uint32_t *value);
bool vb_stack_write(struct vb_cpu *c, uint32_t addr, uint32_t value);
/* Finds the memory that VTOR points into; the entry of one exception. */
void vb_vectors_setup(struct vb_cpu *c);
bool vb_vector_read(struct vb_cpu *c, unsigned exc, uint32_t *value);
/* Recomputes which accesses may go direct (watchpoints, memories mapped). */
void vb_access_setup(struct vb_cpu *c);

static inline uint32_t vb_get(const uint8_t *p, unsigned size)
{
	uint32_t w;
	uint16_t h;
	switch (size) {
	case 4: memcpy(&w, p, 4); return le32toh(w);
	case 2: memcpy(&h, p, 2); return le16toh(h);
	default: return *p;
	}
}

static inline void vb_put(uint8_t *p, unsigned size, uint32_t value)
{
	uint32_t w = htole32(value);
	uint16_t h = htole16((uint16_t)value);
	switch (size) {
	case 4: memcpy(p, &w, 4); break;
	case 2: memcpy(p, &h, 2); break;
	default: *p = (uint8_t)value; break;
	}
}

/* Zero-extended load. The spans end three bytes early so that one comparison covers all sizes. */
static inline bool vb_load(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t *value)
{
	if (VB_LIKELY((addr & (size - 1)) == 0)) {
		uint32_t off = addr - VB_SRAM_BASE;
		if (VB_LIKELY(off < c->sram_span)) {
			*value = vb_get(c->sram + off, size);
			return true;
		}
		off = addr - VB_FLASH_BASE;
		if (VB_LIKELY(off < c->flash_span)) {
			*value = vb_get(c->flash + off, size);
			return true;
		}
	}
	return vb_slow_read(c, addr, size, value);
}

static inline bool vb_store(struct vb_cpu *c, uint32_t addr, unsigned size, uint32_t value)
{
	uint32_t off = addr - VB_SRAM_BASE;
	if (VB_LIKELY(off < c->sram_span && (addr & (size - 1)) == 0)) {
		vb_put(c->sram + off, size, value);
		if (VB_UNLIKELY(off - c->sram_code_lo < c->sram_code_span))
			vb_code_changed(c, addr, size);
		return true;
	}
	return vb_slow_write(c, addr, size, value);
}

/* --- private peripheral bus ----------------------------------------------------------- */

void vb_scs_map(struct vb_cpu *c);
void vb_scb_reset(struct vb_cpu *c);
uint32_t vb_scb_read(struct vb_cpu *c, uint32_t reg);
void vb_scb_write(struct vb_cpu *c, uint32_t reg, uint32_t value);
void vb_nvic_reset(struct vb_cpu *c);
uint32_t vb_nvic_read(struct vb_cpu *c, uint32_t reg);
void vb_nvic_write(struct vb_cpu *c, uint32_t reg, uint32_t value);
void vb_systick_init(struct vb_cpu *c);
void vb_systick_reset(struct vb_cpu *c);
uint32_t vb_systick_read(struct vb_cpu *c, uint32_t reg);
void vb_systick_write(struct vb_cpu *c, uint32_t reg, uint32_t value);
void vb_systick_hold(struct vb_cpu *c, bool hold); /* debug halt begins or ends */
void vb_dwt_map(struct vb_cpu *c);
void vb_dwt_update(struct vb_cpu *c);              /* what decides whether CYCCNT runs changed */
uint32_t vb_dwt_cyccnt(const struct vb_cpu *c);
/* Marks comparators that match the access; a match halts or pends DebugMonitor. */
void vb_dwt_watch(struct vb_cpu *c, uint32_t addr, unsigned size, bool write);
bool vb_dwt_match_pc(const struct vb_cpu *c, uint32_t pc, unsigned *comparator);
void vb_fpb_map(struct vb_cpu *c);
bool vb_fpb_breaks(const struct vb_cpu *c, uint32_t pc);
uint32_t vb_debug_read(struct vb_cpu *c, uint32_t reg);
void vb_debug_write(struct vb_cpu *c, uint32_t reg, uint32_t value);
/* A debug event: halts (C_DEBUGEN), else pends DebugMonitor where enabled. False: neither. */
bool vb_debug_event(struct vb_cpu *c, uint32_t dfsr);
void vb_debug_halt(struct vb_cpu *c);              /* enters debug state now */
void vb_romtable_map(struct vb_cpu *c);
uint32_t vb_component_id(uint32_t reg, uint64_t pid, unsigned klass);

#endif
