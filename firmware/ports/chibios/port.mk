# ChibiOS/RT. Handlers of the advanced (BASEPRI) mode: SVC ends an interrupt, PendSV is not
# used. The tick's handler is the port's, for the kernel leaves it to a driver.
PORT_VERSION := 2
PORT_SVC     := SVC_Handler
PORT_PENDSV  := rtb_fault_handler
PORT_SYSTICK := rtb_chibios_tick
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
