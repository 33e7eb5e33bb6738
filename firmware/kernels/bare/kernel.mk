# bare: what is compiled. Paths are relative to firmware/.
KERNEL_SRCS   := kernels/bare/bare.c
KERNEL_INCS   := kernels/bare
KERNEL_STRICT := 1
