/* frame.h - the wire format, shared by host and firmware; no libc. docs/wire-format.md is the
 * text for people; this file is what both sides compile.
 *
 * A frame on the wire:   RS  {json}  SP  8 hex digits  LF
 * The digits are the CRC-32 (zlib's: poly 0xEDB88320, init and final xor 0xFFFFFFFF) of the
 * JSON bytes, from '{' to '}'. RS never occurs inside a frame, so a decoder that lost its
 * place goes on at the next one. CR before LF is accepted, never sent.
 */
#ifndef RTBENCH_FRAME_H
#define RTBENCH_FRAME_H

#define RTB_PROTO_VERSION 1

#define RTB_FRAME_RS  0x1e
#define RTB_FRAME_MAX 16384 /* bytes from RS to LF; a longer one is noise */

/* The start command, host to board: "G<nonce> <case> <samples> <raw>\n". nonce is 8 lower-case
 * hex digits, samples and raw are decimal. Anything else is answered by an `error` frame. */
#define RTB_CMD_MAX 64

/* Frame types, the value of "t". X(SYM, "word", "what it says") */
#define RTB_FRAME_TYPES(X) \
	X(READY,  "ready",  "the board waits for G; repeated twice a second; has no sequence number") \
	X(HELLO,  "hello",  "who and what runs; exactly one after each accepted G; sequence 0") \
	X(MARK,   "mark",   "a cycle stamp, for the host's check of the clock, and a sign of life") \
	X(RECORD, "record", "what was measured: one series of one case") \
	X(RAW,    "raw",    "the first samples of a series, in order") \
	X(STACK,  "stack",  "high-water mark of one stack") \
	X(DONE,   "done",   "the case has ended; carries the number of frames since hello, both included") \
	X(ERROR,  "error",  "the command was not understood, or the case is not supported here") \
	X(FAULT,  "fault",  "the core faulted; registers; the board resets itself afterwards")

enum rtb_frame_type {
#define RTB_X(sym, word, text) RTB_FRAME_##sym,
	RTB_FRAME_TYPES(RTB_X)
#undef RTB_X
	RTB_FRAME_TYPE_COUNT
};

/* Histogram of a record. Exact to the cycle in the RTB_HIST_EXACT values from the minimum up
 * ("exact": flat list value,count,...). Above, buckets by the value itself ("tail": flat list
 * index,count,...): values 0..63 one bucket each, then 32 buckets an octave, so a bucket is at
 * most 1/32 wide and its middle within 1.6 % of any value in it. "neg" counts values below
 * zero that lie above the exact window; "over" values of RTB_HIST_OVER and more. */
#define RTB_HIST_EXACT   256
#define RTB_HIST_OCTAVES 12                        /* 64 .. 2^18 - 1 */
#define RTB_HIST_OVER    (64 << RTB_HIST_OCTAVES)  /* 262144 cycles, 2.4 ms at 108 MHz */
#define RTB_HIST_TAIL    (64 + 32 * RTB_HIST_OCTAVES)

/* Index of the tail bucket of 0 <= v < RTB_HIST_OVER. */
static inline unsigned rtb_hist_index(unsigned v)
{
	if (v < 64)
		return v;
	unsigned octave = 31u - (unsigned)__builtin_clz(v); /* 6 .. 17 */
	return 64 + (octave - 6) * 32 + ((v >> (octave - 5)) & 31);
}

/* Smallest value of a tail bucket; that of index+1 is one past its largest. */
static inline unsigned rtb_hist_low(unsigned index)
{
	if (index < 64)
		return index;
	unsigned octave = 6 + (index - 64) / 32;
	return (32 + (index - 64) % 32) << (octave - 5);
}

#endif
