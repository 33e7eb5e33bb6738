/* cpu_exec.h - the executors, by file. Each does one instruction on c and returns the op to go on
 * with: VB_NEXT(op), a branch target, or op itself when a fault was raised.
 */
#ifndef VB_CPU_EXEC_H
#define VB_CPU_EXEC_H

#include "vboard/cpu_core.h"

/* cpu_alu.c: data processing. Operand 2 is op->imm, register rm, or rm shifted by op->imm as
 * op->ra says. The opcode numbers 0-14 are those of the 32-bit encodings (A5.3.1). */
enum vb_alu {
	ALU_AND, ALU_BIC, ALU_ORR, ALU_ORN, ALU_EOR, ALU_MOV, ALU_MVN, ALU_TST,
	ALU_ADD, ALU_TEQ, ALU_ADC, ALU_SBC, ALU_CMP, ALU_SUB, ALU_RSB, ALU_CMN, ALU_COUNT
};
enum vb_operand { OPERAND_IMM, OPERAND_REG, OPERAND_SHIFTED, OPERAND_COUNT };
enum vb_shift { SHIFT_LSL, SHIFT_LSR, SHIFT_ASR, SHIFT_ROR, SHIFT_RRX };
extern vb_exec_fn *const vb_alu_exec[ALU_COUNT][OPERAND_COUNT][2]; /* last index: sets flags */
/* rn shifted by the low byte of rm; by the constant op->imm (LSL, LSR, ASR only). */
extern vb_exec_fn *const vb_shift_reg_exec[4][2];
extern vb_exec_fn *const vb_shift_imm_exec[3][2];

/* cpu_bits.c: extends, bit fields, reversal, saturation, multiply, divide. */
vb_exec_fn vb_x_sxtb, vb_x_sxth, vb_x_uxtb, vb_x_uxth, vb_x_rev, vb_x_rev16, vb_x_revsh,
	vb_x_rbit, vb_x_clz, vb_x_bfi, vb_x_bfc, vb_x_sbfx, vb_x_ubfx, vb_x_ssat, vb_x_usat,
	vb_x_movt, vb_x_mul, vb_x_muls, vb_x_mla, vb_x_mls, vb_x_smull, vb_x_umull, vb_x_smlal,
	vb_x_umlal, vb_x_sdiv, vb_x_udiv;

/* cpu_mem.c: single loads and stores. */
enum vb_addressing { ADDR_IMM, ADDR_REG, ADDR_PRE, ADDR_POST, ADDR_LIT, ADDR_COUNT };
enum vb_width { W_WORD, W_HALF, W_BYTE, W_SHALF, W_SBYTE, W_COUNT };
extern vb_exec_fn *const vb_load_exec[W_COUNT][ADDR_COUNT];
extern vb_exec_fn *const vb_store_exec[3][ADDR_COUNT];
vb_exec_fn vb_x_ldr_pc; /* addressing in op->imm2 */
vb_exec_fn vb_x_unprivileged; /* LDRT family; op->imm2 = width, bit 3 store */

/* cpu_multi.c: several words at once, exclusives. */
vb_exec_fn vb_x_ldmia, vb_x_ldmdb, vb_x_stmia, vb_x_stmdb,
	vb_x_ldrd, vb_x_strd, vb_x_ldrex, vb_x_strex, vb_x_clrex;

/* cpu_branch.c */
extern vb_exec_fn *const vb_bcond_exec[14];
vb_exec_fn vb_x_b, vb_x_b_far, vb_x_bcond_far, vb_x_bl, vb_x_bl_far, vb_x_bx, vb_x_blx,
	vb_x_mov_pc, vb_x_add_pc, vb_x_cbz, vb_x_cbnz, vb_x_tbb, vb_x_tbh;

/* cpu_system.c */
vb_exec_fn vb_x_nop, vb_x_it, vb_x_if, vb_x_sp, vb_x_if_sp, vb_x_undef, vb_x_nocp, vb_x_svc,
	vb_x_bkpt, vb_x_fpb, vb_x_watch_pc, vb_x_mrs, vb_x_msr, vb_x_cps, vb_x_wfi, vb_x_wfe,
	vb_x_sev, vb_x_isb;

#endif
