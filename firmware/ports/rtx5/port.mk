# RTX5, through its own API and control blocks (CMSIS-RTOS2).
PORT_VERSION := 1
PORT_SVC     := SVC_Handler
PORT_PENDSV  := PendSV_Handler
PORT_SYSTICK := SysTick_Handler
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
