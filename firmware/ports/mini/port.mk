# Port of mini: what the build needs to know of it.
PORT_VERSION := 1
PORT_SVC     := mini_svc_handler
PORT_PENDSV  := mini_pendsv_handler
PORT_SYSTICK := mini_systick_handler
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
