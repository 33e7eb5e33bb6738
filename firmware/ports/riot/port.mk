# RIOT: its core, its Cortex-M layer, sema and what sema refers to; nothing of its build system.
PORT_VERSION := 1
PORT_SVC     := isr_svc
PORT_PENDSV  := isr_pendsv
# Tickless by design: SysTick never runs, and cases that count by ticks are not supported.
PORT_SYSTICK := rtb_fault_handler
PORT_OFFERS  := TASKS MANY SEM QUEUE MUTEX ISR
PORT_CONFIG  := riotbuild.h
