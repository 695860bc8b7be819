"""Kernels whose text must not even be compiled: it reaches for files, the linker, the compiler or the runtime."""

from __future__ import annotations

from . import ESCAPED, NOWHERE, attacks, kernel

COMMAND = f"touch {ESCAPED}"

COROUTINE = """
namespace std {
template <class R, class... A> struct coroutine_traits { using promise_type = typename R::promise_type; };
}
struct R { struct promise_type {}; };
__device__ R f() { co_return; }
"""


def in_function(declaration: str, call: str) -> str:
    """A kernel with C linkage, in which a declaration names a library's function."""
    return f'extern "C" __global__ void k(float* out)\n{{\n    {declaration};\n    {call};\n}}\n'


_OUTSIDE: dict[str, str | tuple[str, str | None]] = {
    "system": kernel(f'system("{COMMAND}");', 'extern "C" int system(const char*);'),
    "system-in-a-block": (
        kernel(f'system("{COMMAND}");', 'extern "C" { __device__ int system(const char*); }'),
        "system",
    ),
    "system-in-cpp": (kernel(f'system("{COMMAND}");', "__device__ int system(const char*);"), "system"),
    "system-of-the-host": kernel(f'system("{COMMAND}");', "int system(const char*);"),
    "fork": kernel("fork();", 'extern "C" int fork();'),
    "fork-in-cpp": (kernel("fork();", "__device__ int fork();"), "fork"),
    "fork-of-the-host": kernel("fork();", "int fork();"),
    "open": (kernel('open("/etc/passwd", 0);', 'extern "C" __device__ int open(const char*, int);'), "open"),
    "renamed-symbol": (kernel('f("x");', '__device__ int f(const char*) __asm__("system");'), "asm as a name"),
    "include": ('#include "/etc/passwd"\n' + kernel(""), '#include "/etc/passwd"'),
    "include-by-macro": ('#define F "/etc/passwd"\n#include F\n' + kernel(""), "#include F"),
    "include-by-line-splice": ('#inc\\\nlude "/etc/passwd"\n' + kernel(""), '#include "/etc/passwd"'),
    "include-by-digraph": ('%:include "/etc/passwd"\n' + kernel(""), "%:"),
    "include-by-trigraph": '??=include "/etc/passwd"\n' + kernel(""),
    "embed": ('const char d[] = {\n#embed "/etc/passwd"\n};\n' + kernel(""), "#embed"),
    "has_include": ('#if __has_include("/etc/passwd")\n#endif\n' + kernel(""), "__has_include"),
    "pragma-dependency": ('#pragma GCC dependency "/etc/passwd"\n' + kernel(""), None),
    "has_include-pasted": (
        '#define JOIN(a, b) a##b\n#if JOIN(__has_, include)("/etc/passwd")\n#endif\n' + kernel(""),
        "#if",
    ),
    "module-import": "import <cstdio>;\n" + kernel(""),
    "module-import-of-a-file": 'import "/etc/passwd";\n' + kernel(""),
    "inline-assembly": (kernel('asm volatile("syscall");'), "syscall (no semicolon)"),
    "incbin": (kernel("", '__asm__(".incbin \\"/etc/passwd\\"");'), "asm outside of a function"),
    "pasted-word": (kernel("A;", '#define A as##m("syscall;")'), "syscall"),
    "constructor": kernel("", "__device__ int early;\n__attribute__((constructor)) __device__ void f() { early = 1; }"),
    "constructor-cpp": kernel("", "[[gnu::constructor]] __device__ void f() {}"),
    "no_sanitize": (kernel("", '[[clang::no_sanitize("thread")]] __device__ void f() {}'), "no_sanitize"),
    "hook-replaced": (kernel("", 'extern "C" __device__ void __tsan_write4(void*) {}'), "__tsan_write4"),
    "hook-called": (kernel("__tsan_write4(out);", 'extern "C" __device__ void __tsan_write4(void*);'), "__tsan_write4"),
    "runtime-name": (kernel("", "int emu_printf(const char*, ...) { return 0; }"), "emu_printf"),
    "runtime-name-pasted": (kernel("JOIN(emu_, sleep)(0);", "#define JOIN(a, b) a##b"), "JOIN"),
    "runtime-name-by-its-own-macro": (
        kernel("f();", "#define RAW(x) x##_RAW\n#define F(x) RAW(x)\nF(__UINT32_C(EM)) __device__ void f() {}"),
        "F",
    ),
    "runtimes-entry": (kernel("", 'extern "C" __device__ void emu_entry(void*) {}'), "emu_entry"),
    "longjmp": (kernel("__builtin_longjmp(0, 1);"), "__builtin_longjmp"),
    "new": (kernel("int* p = new int[9]; out[0] = p[0];"), "new"),
    "delete": (kernel("int* p; delete p;"), "delete"),
    "thread-local": kernel("thread_local int x; x = 1;"),
}

_EARLY = {
    "call": kernel("out[0] = x;", "__device__ float f() { return 3; }\n__device__ float x = f();"),
    "constructor": kernel("", "struct S { int v; __device__ S() : v(3) {} };\n__device__ S s;"),
    "destructor": kernel("", "__device__ int ended;\nstruct S { __device__ ~S() { ended = 1; } };\n__device__ S s;"),
}

_BY_TABLE = "a virtual function or base"
_LANGUAGE: dict[str, str | tuple[str, str | None]] = {
    "static-local-with-destructor": kernel(
        "static S s; out[0] = s.x;", "struct S { int x; __device__ S() { x = 1; } __device__ ~S() { x = 0; } };"
    ),
    "coroutine": kernel("f();", COROUTINE),
    "segment-of-the-C-library": (kernel("*(long __seg_fs*)0x10 = 7;"), "an address space"),
    "the-other-segment": (kernel("*(long __seg_gs*)0x10 = 7;"), "an address space"),
    "integer-of-256-bits": kernel(f"*(B*){NOWHERE} = 5;", "typedef _BitInt(256) B;"),
    "computed-goto": kernel("void* p = &&here; goto *p; here: out[0] = 1;"),
    "computed-goto-by-macro": kernel("void* p = &&here; goto there; here: ;", "#define there *p"),
    "computed-goto-in-a-macro": kernel("void* p = &&here; JUMP p; here: ;", "#define JUMP goto *"),
    "computed-goto-to-a-number": kernel(f"goto *(void*){NOWHERE};"),
    "goto-in-assembly": kernel('asm goto("" : : : : here); here: out[0] = 1;'),
    "asm-label": (kernel('int x asm("emu_dynamic");'), "asm as a name"),
    "annotate": (kernel("", '__attribute__((annotate("x"))) __device__ int x;'), "annotate"),
    "unwatched": (
        kernel(
            "f();",
            "__attribute__((nodebug, disable_sanitizer_instrumentation)) __device__ void f() "
            f"{{ *(int*){NOWHERE} = 7; }}",
        ),
        "nodebug",
    ),
    "alias": kernel("f();", '[[gnu::alias("emu_fence")]] __device__ void f();'),
    "naked": kernel("f();", "__attribute__((naked)) __device__ void f() {}"),
    "address-space": (kernel("*(int __attribute__((address_space(256)))*)8 = 5;"), "an address space"),
    "vector-of-64-bytes": kernel(f"*(V*){NOWHERE} = V{{}};", "typedef int V __attribute__((vector_size(64)));"),
    "frame-address": (kernel("__builtin_frame_address(0);"), "__builtin_frame_address"),
    "alloca": (kernel("__builtin_alloca(1 << 30);"), "__builtin_alloca"),
    "undef-of-the-prelude": ("#undef __shared__\n" + kernel(""), "#undef __shared__"),
    "barrier-redefined": ("#define __syncthreads()\n" + kernel(""), "#define __syncthreads"),
    "macro-of-the-prelude": ("#define atomicAdd(p, v) EMU_RAW\n" + kernel(""), "EMU_RAW"),
    "line": ('#line 1 "prelude.h"\n' + kernel(""), "#line"),
    "pragma-operator": (kernel('_Pragma("clang optimize off")'), "_Pragma"),
    "pragma-attribute": ("#pragma clang attribute push(__x__)\n" + kernel(""), None),
    "module": "export module m;\n" + kernel(""),
    "virtual-function": (
        kernel(
            "W w; V* v = &w; out[0] = v->f();",
            "struct V { virtual __device__ int f() = 0; };\nstruct W : V { __device__ int f() { return 7; } };",
        ),
        _BY_TABLE,
    ),
    "virtual-base": (kernel("W w; out[0] = w.x;", "struct V { int x; };\nstruct W : virtual V {};"), _BY_TABLE),
    "dynamic-cast": kernel(
        "V v; out[0] = dynamic_cast<W*>(&v) != 0;",
        "struct V { virtual __device__ void f() {} };\nstruct W : V {};",
    ),
    "typeid": kernel("out[0] = typeid(int) == typeid(long);"),
    "new-of-the-text": kernel("*new int = 1;", f"__device__ void* operator new(size_t) {{ return (void*){NOWHERE}; }}"),
    "table-of-the-linkers": (
        kernel("extern __shared__ int _GLOBAL_OFFSET_TABLE_[]; out[0] = 1;"),
        "_GLOBAL_OFFSET_TABLE_",
    ),
    "unreachable": (kernel("if (out[0] > 0) __builtin_unreachable();"), "__builtin_unreachable"),
    "assume": kernel("__assume(out[0] > 0);"),
    "noreturn": kernel("f();", "[[noreturn]] __device__ void f() {}"),
}

_DECLARED = {
    "memmove-of-numbers": in_function("long memmove(long, long, long)", f"memmove({NOWHERE}, (long)out, 8)"),
    "alloca": in_function("void* alloca(unsigned long)", "*(char*)alloca(-100000l) = 1"),
    "strcpy": in_function("char* strcpy(char*, const char*)", f'strcpy((char*){NOWHERE}, "abc")'),
    "stpcpy": in_function("char* stpcpy(char*, const char*)", f'stpcpy((char*){NOWHERE}, "abc")'),
    "strncpy": in_function("char* strncpy(char*, const char*, unsigned long)", f'strncpy((char*){NOWHERE}, "abc", 4)'),
    "sprintf": in_function("int sprintf(char*, const char*, ...)", f'sprintf((char*){NOWHERE}, "abc")'),
    "mempcpy": in_function("void* mempcpy(void*, const void*, unsigned long)", f"mempcpy((void*){NOWHERE}, out, 8)"),
    "bzero": in_function("void bzero(void*, unsigned long)", f"bzero((void*){NOWHERE}, 8)"),
    "memcmp": in_function(
        "int memcmp(const void*, const void*, unsigned long)", f"out[0] = memcmp((void*){NOWHERE}, out, 8) == 0"
    ),
    "memchr": in_function(
        "void* memchr(const void*, int, unsigned long)", f"out[0] = memchr((void*){NOWHERE}, 3, 8) == out"
    ),
    "strlen": in_function("unsigned long strlen(const char*)", f"out[0] = strlen((char*){NOWHERE})"),
    "setjmp": in_function("int _setjmp(void*)", "_setjmp(out)"),
    "longjmp": in_function("void longjmp(void*, int)", "longjmp(out, 1)"),
    "frexp-of-numbers": in_function("double frexp(double, long)", f"frexp(1.5, {NOWHERE})"),
    "of-nobody": in_function("int f(int)", "out[0] = f(1)"),
}

#: What a macro might have run in the launch's place. The kernel goes astray, so that one sees whether it runs.
_FORGED = f"template <auto* f> __device__ int forged(void* p) {{ *(int*){NOWHERE} = 7; return 0; }}\n"
_ASTRAY = kernel("out[99999] = 1;")
_POINTED = f"{_FORGED}{_ASTRAY}__device__ constexpr auto* real = &k;\n"
_LAUNCH = {
    "parameters-by-a-macro": f"{_FORGED}#define sizes sizes<k>(out) + forged{_ASTRAY}",
    "parameters-by-a-macro-of-its-template": f"{_FORGED}#define emu_sizes sizes<k>(out) + forged{_ASTRAY}",
    "call-by-a-macro": f"{_FORGED}#define call call<k>(args), forged{_ASTRAY}",
    "arguments-by-a-macro": f"{_FORGED}#define args out\n#define out (forged<k>(0), out){_ASTRAY}",
    "kernel-by-a-macro": f"{_POINTED}#define k real>(out), forged<real",
    "kernel-and-more-by-a-macro": f"{_POINTED}#define k real; int x = forged<real>(0)",
}

#: What reaches for files, processes, the linker or the runtime.
OUTSIDE = attacks(_OUTSIDE, "ForbiddenCode", "CompileError")
#: Code that would run before the sandbox is closed.
EARLY = attacks(_EARLY, "ForbiddenCode", "CompileError")
#: Corners of C++ and of the compiler's extensions.
LANGUAGE = attacks(_LANGUAGE, "ForbiddenCode", "CompileError")
#: Functions of libraries, declared in a function.
DECLARED = attacks(_DECLARED, "ForbiddenCode", "CompileError")
#: Macros for the words that the launch's own text could have.
LAUNCH = attacks(_LAUNCH, "OutOfBounds", "ForbiddenCode", "CompileError")
