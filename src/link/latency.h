/* latency.h - the FTDI latency timer: how long an adapter holds back a short packet. It slows a
 * conversation (16 ms a turn) and is no part of any result. */
#ifndef RTB_LINK_LATENCY_H
#define RTB_LINK_LATENCY_H

/* Asks for 1 ms through sysfs where the tty at this path has such a timer (ttyUSB of an FTDI,
 * never ttyACM), best effort. The value read back, ms; -1 when there is no timer. Says in the
 * log when the wish did not take. */
int rtb_latency_lower(const char *tty_path);

#endif
