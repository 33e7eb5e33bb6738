/* flag.h - "stop now": set by a signal handler or by another thread, looked at by whoever could
 * wait long. 0 until then. A sig_atomic_t would do for the handler's own thread alone. */
#ifndef RTB_BASE_FLAG_H
#define RTB_BASE_FLAG_H

#include <stdatomic.h>

_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may touch lock-free ones only");
typedef atomic_int rtb_flag;

#endif
