# A small preemptive kernel of our own, the reference.
PORT_VERSION := 1
PORT_SVC     := mini_svc_handler
PORT_PENDSV  := mini_pendsv_handler
PORT_SYSTICK := mini_systick_handler
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
