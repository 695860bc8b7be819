// What the kernel's own code calls where it does not let an access through (inlined/inline_hooks.cpp):
// emu_numbered_read4(number, address) and its like, which call numbered_read4(number, address, return address). They keep all
// registers but r11, so that the kernel need not: it has its sums in those of floating point.
#pragma once
#include "../platform.h"

// clang-format off
#define EACH_XMM(each)                                                                            \
    each(0) each(1) each(2) each(3) each(4) each(5) each(6) each(7) each(8) each(9) each(10) each(11) each(12) each(13) each(14) each(15)
#define SAVE_XMM(n) "movups %xmm" #n ", 16*" #n "(%rsp)\n"
#define LOAD_XMM(n) "movups 16*" #n "(%rsp), %xmm" #n "\n"
#define NUMBERED_ACCESS(name)                                                                                \
    asm(".globl emu_numbered_" #name "\nemu_numbered_" #name ":\n"                                       \
        "push %rbp\nmov %rsp, %rbp\n"                                                            \
        "push %rax\npush %rcx\npush %rdx\npush %rsi\npush %rdi\npush %r8\npush %r9\npush %r10\n" \
        "sub $256, %rsp\n" EACH_XMM(SAVE_XMM)                                                     \
        "mov 8(%rbp), %rdx\ncall numbered_" #name "\n" EACH_XMM(LOAD_XMM) "add $256, %rsp\n"         \
        "pop %r10\npop %r9\npop %r8\npop %rdi\npop %rsi\npop %rdx\npop %rcx\npop %rax\npop %rbp\nret\n");
// clang-format on
NUMBERED_ACCESS(read4)
NUMBERED_ACCESS(read8) NUMBERED_ACCESS(read16) NUMBERED_ACCESS(write4) NUMBERED_ACCESS(write8) NUMBERED_ACCESS(write16)
