# ThreadX. It needs no SVC; SysTick's handler is the port's own, see port.c.
PORT_VERSION := 1
PORT_SVC     := rtb_fault_handler
PORT_PENDSV  := __tx_PendSVHandler
PORT_SYSTICK := rtb_threadx_systick
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
PORT_DEFS    := TX_INCLUDE_USER_DEFINE_FILE
# Unoptimised, a sleeping thread has 340 bytes on its stack, 448 when instrumented: 256 would
# run over in activation_20.
ifeq ($(OPT),O0)
PORT_STACK_SMALL := 464
PORT_ARENA       := 13824
endif
