# LiteOS-M. The tree has no context switch for this core that GCC can assemble; arch.c is ours.
PORT_VERSION := 2
PORT_SVC     := rtb_fault_handler
PORT_PENDSV  := rtb_liteos_pendsv
PORT_SYSTICK := rtb_liteos_tick
PORT_OFFERS  := TASKS SEM QUEUE MUTEX ISR TICK MANY
PORT_SRCS    := port.c arch.c
# Unoptimised and instrumented, a hook that traces runs on the sleeping task's stack: 256 bytes would
# run over in activation_20. The arena holds twenty of these anyway.
ifeq ($(OPT),O0)
PORT_STACK_SMALL := 496
endif
