# RT-Thread Nano
PORT_VERSION := 1
# The kernel starts its first thread through PendSV and has no use for SVC.
PORT_SVC     := rtb_fault_handler
PORT_PENDSV  := PendSV_Handler
PORT_SYSTICK := rtb_rtthread_tick
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
