# ThreadX. It needs no SVC; SysTick's handler is the port's own, see port.c.
PORT_VERSION := 1
PORT_SVC     := rtb_fault_handler
PORT_PENDSV  := __tx_PendSVHandler
PORT_SYSTICK := rtb_threadx_systick
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
PORT_DEFS    := TX_INCLUDE_USER_DEFINE_FILE
