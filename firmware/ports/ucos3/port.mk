# uC/OS-III, with uC/CPU and uC/LIB. It needs no SVC.
PORT_VERSION := 1
PORT_SVC     := rtb_fault_handler
PORT_PENDSV  := OS_CPU_PendSVHandler
PORT_SYSTICK := OS_CPU_SysTickHandler
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
