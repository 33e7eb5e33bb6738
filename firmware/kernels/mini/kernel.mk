# mini: what is compiled. Paths are relative to firmware/.
KERNEL_SRCS   := $(addprefix kernels/mini/,mini_sched.c mini_switch.c mini_sync.c mini_mutex.c mini_debug.c)
KERNEL_INCS   := kernels/mini
KERNEL_DEFS   := MINI_DEBUG=$(INSTR)
KERNEL_STRICT := 1
