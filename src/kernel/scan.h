/* scan.h - which names a source file may define, by reading it lightly.
 *
 * C is read without a preprocessor, so the answer is "may": both branches of every #if count,
 * and a name handed to a macro may be missed. What matters is that a name which is plainly
 * defined is found; the compiler then has the last word.
 */
#ifndef RTB_KERNEL_SCAN_H
#define RTB_KERNEL_SCAN_H

#include <stddef.h>

/* Called with each name (not NUL-terminated); the same name may come several times. */
typedef void rtb_scan_name(void *ctx, const char *name, size_t n);

/* Functions with a body and variables at file scope. */
void rtb_scan_c(const char *text, size_t n, rtb_scan_name *found, void *ctx);
/* Labels, and operands of .global, .globl, EXPORT, PUBLIC. */
void rtb_scan_asm(const char *text, size_t n, rtb_scan_name *found, void *ctx);

#endif
