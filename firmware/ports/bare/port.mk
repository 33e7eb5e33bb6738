# No scheduler: what the hardware alone costs.
# There is no tick, so whatever ticks is a fault.
PORT_VERSION := 1
PORT_SVC     := bare_svc_handler
PORT_PENDSV  := bare_pendsv_handler
PORT_SYSTICK := rtb_fault_handler
PORT_OFFERS  := TASKS SEM QUEUE ISR
