/* cpu_decode.c - from half-words to ops: table look-up, conditions, breakpoints, and the part of
 * the timing that depends on the next instruction (docs/virtual-board-timing.md, "Neighbours").
 */
#include "vboard/cpu_decode.h"

#define SP 13u
#define PC 15u

void vb_dec_exec(struct vb_dec *d, vb_exec_fn *exec, unsigned cycles)
{
	d->op->exec = exec;
	d->op->cycles = (uint8_t)cycles;
}

void vb_dec_undefined(struct vb_dec *d)
{
	vb_dec_exec(d, vb_x_undef, 1);
}

void vb_dec_result(struct vb_dec *d, vb_exec_fn *exec, unsigned cycles, unsigned rd)
{
	if (rd == PC) {
		vb_dec_undefined(d);
		return;
	}
	vb_dec_exec(d, exec, cycles);
	d->op->rd = (uint8_t)rd;
	d->result = (int8_t)rd;
	if (rd == SP)
		d->op->writes_sp = 1;
}

/* A PC where the architecture allows none is UNPREDICTABLE; here it is UNDEFINED. */
void vb_dec_alu(struct vb_dec *d, enum vb_alu alu, enum vb_operand kind, bool flags,
		unsigned rd, unsigned rn)
{
	bool uses_rn = alu != ALU_MOV && alu != ALU_MVN;
	if ((uses_rn && rn == PC) || (kind != OPERAND_IMM && d->op->rm == PC)) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = uses_rn ? (uint8_t)rn : 0;
	vb_exec_fn *exec = vb_alu_exec[alu][kind][flags];
	if (alu == ALU_TST || alu == ALU_TEQ || alu == ALU_CMP || alu == ALU_CMN) {
		vb_dec_exec(d, exec, 1);
		return;
	}
	vb_dec_result(d, exec, 1, rd);
	/* A word-aligned constant keeps an aligned SP aligned. */
	if (kind == OPERAND_IMM && rn == SP && (d->op->imm & 3) == 0 && (alu == ALU_ADD || alu == ALU_SUB))
		d->op->writes_sp = 0;
}

void vb_dec_move_shifted(struct vb_dec *d, unsigned type, unsigned amount, bool flags,
			 unsigned rd, unsigned rm)
{
	d->op->rm = (uint8_t)rm;
	d->op->ra = (uint8_t)type;
	d->op->imm = amount;
	if (type == SHIFT_LSL && amount == 0)
		vb_dec_alu(d, ALU_MOV, OPERAND_REG, flags, rd, 0);
	else if (type <= SHIFT_ASR && rm != PC)
		vb_dec_result(d, vb_shift_imm_exec[type][flags], 1, rd);
	else
		vb_dec_alu(d, ALU_MOV, OPERAND_SHIFTED, flags, rd, 0);
}

void vb_dec_constant(struct vb_dec *d, unsigned rd, uint32_t value)
{
	d->op->imm = value;
	d->op->ra = 0;
	vb_dec_alu(d, ALU_MOV, OPERAND_IMM, false, rd, 0);
}

static bool writes_base(enum vb_addressing a)
{
	return a == ADDR_PRE || a == ADDR_POST;
}

/* The registers an address is made of; false when the form cannot be executed. */
static bool address(struct vb_dec *d, enum vb_addressing a, unsigned rt, unsigned rn)
{
	if (a == ADDR_LIT)
		return true;
	if (rn == PC || (writes_base(a) && rn == rt) || (a == ADDR_REG && d->op->rm == PC))
		return false;
	d->op->rn = (uint8_t)rn;
	d->address_regs = (uint16_t)(1u << rn);
	if (a == ADDR_REG)
		d->address_regs |= (uint16_t)(1u << d->op->rm);
	if (writes_base(a) && rn == SP && (d->op->imm & 3))
		d->op->writes_sp = 1;
	return true;
}

void vb_dec_load(struct vb_dec *d, enum vb_width w, enum vb_addressing a, unsigned rt, unsigned rn)
{
	if (!address(d, a, rt, rn)) {
		vb_dec_undefined(d);
		return;
	}
	if (rt == PC) {
		d->op->imm2 = a;
		vb_dec_exec(d, w == W_WORD ? vb_x_ldr_pc : vb_x_undef, 2);
		return;
	}
	vb_dec_result(d, vb_load_exec[w][a], 2, rt);
	d->is_load = true;
	d->follows_load = true;
}

void vb_dec_store(struct vb_dec *d, enum vb_width w, enum vb_addressing a, unsigned rt, unsigned rn)
{
	if (rt == PC || a == ADDR_LIT || !address(d, a, rt, rn)) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rd = (uint8_t)rt;
	vb_dec_exec(d, vb_store_exec[w][a], a == ADDR_REG ? 2 : 1);
	d->follows_load = a == ADDR_REG;
}

void vb_dec_branch(struct vb_dec *d, vb_exec_fn *near, vb_exec_fn *far, uint32_t target)
{
	bool here = target - d->code->base < d->code->size;
	d->op->imm = here ? (uint32_t)((int32_t)(target - d->pc) / 2) : target;
	vb_dec_exec(d, here ? near : far, 1);
}

void vb_dec_multiple(struct vb_dec *d, vb_exec_fn *exec, unsigned rn, uint32_t list, bool write_back)
{
	unsigned n = (unsigned)__builtin_popcount(list);
	if (n == 0 || rn == PC) {
		vb_dec_undefined(d);
		return;
	}
	d->op->rn = (uint8_t)rn;
	d->op->ra = write_back;
	d->op->imm = list;
	d->op->imm2 = 4 * n;
	d->address_regs = (uint16_t)(1u << rn);
	vb_dec_exec(d, exec, 1 + n);
}

/* --- one instruction ------------------------------------------------------------------- */

static bool is_wide(uint32_t hw1)
{
	return hw1 >= 0xE800;
}

/* Reads and looks up the instruction at op's place; false when it does not lie in the memory
 * as a whole. */
static bool decode_one(const struct vb_code *code, uint32_t index, uint8_t it, struct vb_op *op,
		       struct vb_dec *d)
{
	uint32_t n = code->size / 2;
	*op = (struct vb_op){ .it = it, .len = 1 };
	*d = (struct vb_dec){ .pc = code->base + 2 * index, .op = op, .code = code, .it = it,
			      .result = -1 };
	if (index >= n)
		return false;
	d->hw = vb_get(code->mem + 2 * index, 2);
	const struct vb_pattern *p = vb_patterns16;
	unsigned count = vb_patterns16_count;
	if (is_wide(d->hw)) {
		if (index + 1 >= n)
			return false;
		d->hw = d->hw << 16 | vb_get(code->mem + 2 * index + 2, 2);
		p = vb_patterns32;
		count = vb_patterns32_count;
		op->len = 2;
		op->straddle = d->pc >> 1 & 1;
	}
	for (unsigned i = 0; i < count; i++) {
		if ((d->hw & p[i].mask) == p[i].match) {
			p[i].decode(d);
			return true;
		}
	}
	vb_dec_undefined(d);
	return true;
}

/* The two effects between neighbours that the manual names, booked on the first of the two,
 * which always runs into the second:
 *  - a load followed by an access that does not use its result for the address overlaps with
 *    it by one cycle;
 *  - a data-processing result used for the very next address costs one cycle. */
static void look_ahead(const struct vb_dec *d, uint32_t index)
{
	if (d->result < 0)
		return;
	struct vb_op next_op;
	struct vb_dec next;
	uint8_t it = d->it & 7 ? (uint8_t)((d->it & 0xE0) | ((d->it << 1) & 0x1F)) : 0;
	if (!decode_one(d->code, index + d->op->len, it, &next_op, &next))
		return;
	bool dependent = next.address_regs >> d->result & 1;
	if (d->is_load) {
		bool together = !d->it || !it || (d->it ^ it) >> 4 == 0;
		if (next.follows_load && !dependent && together)
			d->op->cycles--;
	} else if (dependent) {
		d->op->cycles++;
	}
}

/* Decodes the instructions under an IT with their conditions. */
static void decode_block(struct vb_cpu *c, struct vb_op *it_op)
{
	uint8_t it = (uint8_t)it_op->imm;
	struct vb_op *op = VB_NEXT(it_op), *end = c->code->ops + c->code->size / 2;
	while (it && op < end) {
		op->it = it;
		vb_decode(c, op);
		op += op->len;
		it = it & 7 ? (uint8_t)((it & 0xE0) | ((it << 1) & 0x1F)) : 0;
	}
}

static vb_exec_fn *wrapper(const struct vb_op *op)
{
	if (op->it && op->exec != vb_x_bkpt)
		return op->writes_sp ? vb_x_if_sp : vb_x_if;
	return op->writes_sp ? vb_x_sp : op->exec;
}

static void note_sram_code(struct vb_cpu *c, const struct vb_op *op)
{
	if (c->code->mem != c->sram)
		return;
	/* Three bytes early: a word store just below reaches into the instruction; and the
	 * look-ahead beyond it. */
	uint32_t at = (uint32_t)(op - c->code->ops) * 2;
	uint32_t lo = at > 3 ? at - 3 : 0, hi = at + 8, old_hi = c->sram_code_lo + c->sram_code_span;
	if (c->sram_code_span == 0) {
		c->sram_code_lo = lo;
		c->sram_code_span = hi - lo;
		return;
	}
	if (hi < old_hi)
		hi = old_hi;
	if (lo > c->sram_code_lo)
		lo = c->sram_code_lo;
	c->sram_code_lo = lo;
	c->sram_code_span = hi - lo;
}

void vb_decode(struct vb_cpu *c, struct vb_op *op)
{
	struct vb_dec d;
	uint32_t index = (uint32_t)(op - c->code->ops);
	unsigned comparator;
	if (!decode_one(c->code, index, op->it, op, &d)) {
		/* A 32-bit instruction cut off by the end of the memory: the fetch fails. */
		op->fn = vb_x_cut_off;
		return;
	}
	look_ahead(&d, index);
	note_sram_code(c, op);
	op->fn = wrapper(op);
	if (vb_fpb_breaks(c, d.pc))
		op->fn = vb_x_fpb;
	else if (vb_dwt_match_pc(c, d.pc, &comparator))
		op->fn = vb_x_watch_pc;
	else if (op->exec == vb_x_it)
		decode_block(c, op);
}
