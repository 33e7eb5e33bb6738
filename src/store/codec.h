/* codec.h - how the store packs what is long: histograms and raw samples as varints (readable
 * in SQL through v_histogram and v_raw), logs as zlib streams. Inside store/ only. */
#ifndef RTB_STORE_CODEC_H
#define RTB_STORE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "stats/hist.h"

/* Appends to out. Bins must be sorted. */
void rtb_pack_hist(const struct rtb_hist *h, struct rtb_buf *out);
/* False, with h emptied, when the bytes are not what rtb_pack_hist writes. */
bool rtb_unpack_hist(const void *p, size_t n, struct rtb_hist *h);

void rtb_pack_raw(const int32_t *v, size_t count, struct rtb_buf *out);
/* *v is the caller's. False when damaged; *v is then NULL. */
bool rtb_unpack_raw(const void *p, size_t n, int32_t **v, size_t *count);

/* Longest log kept, in bytes before packing: beyond it head and tail stay, the middle goes. */
#define RTB_LOG_KEPT (1u << 20)
/* *cut: bytes left out of the middle. */
void rtb_pack_log(const char *text, size_t n, struct rtb_buf *out, size_t *cut);
/* Appends the text to out, with a line saying what was cut. bytes: length as it was. */
bool rtb_unpack_log(const void *p, size_t n, size_t bytes, size_t cut, struct rtb_buf *out);

#endif
