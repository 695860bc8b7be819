// Where the runner begins. The C library brings a start file of its own, but only where a compiler is installed,
// and zig's copy of it takes 6 s to make. `rdx` holds what the dynamic loader wants called at the end.
__asm__(
    ".globl _start\n"
    "_start:\n"
    "    xor %ebp, %ebp\n"
    "    mov %rdx, %r9\n"
    "    pop %rsi\n"            // argc
    "    mov %rsp, %rdx\n"      // argv
    "    and $-16, %rsp\n"
    "    push %rax\n"
    "    push %rsp\n"           // the end of the stack
    "    xor %r8d, %r8d\n"      // nothing to call before main, or after it
    "    xor %ecx, %ecx\n"
    "    lea main(%rip), %rdi\n"
    "    call *__libc_start_main@GOTPCREL(%rip)\n"
    "    hlt\n");
