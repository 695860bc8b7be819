"""Kernels that read, write or jump where they may not."""

from __future__ import annotations

from . import NOWHERE, attacks, kernel

_PIPELINE = "#include <cuda_pipeline.h>\n#include <cooperative_groups/memcpy_async.h>"


def _copying(copy: str) -> str:
    body = f"__shared__ char s[16]; char a[64]; a[0] = 1; {copy} __pipeline_commit(); __pipeline_wait_prior(0);"
    return kernel(body, _PIPELINE)


_WRITES = {
    "threadIdx": kernel("*(unsigned*)&threadIdx = 5u;"),
    "around-gridDim": kernel("long* p = (long*)&gridDim; for (int i = 0; i < 9999; i++) p[i] = 7;"),
    "code-and-offset-table": kernel("long* p = (long*)&k; for (int i = 0; i < 99999; i++) p[i] = 7;"),
    "return-address": kernel("long a[1]; long* p = a; for (int i = 0; i < 9; i++) p[i] = 7;"),
    "above-the-stack": kernel("long a[1] = {1}; int i = 0; long* p = (long*)&i; out[0] = *p; *p = a[0];"),
    "down-the-stack": kernel("long a[1]; long* p = a; for (int i = 0; i < 99999; i++) p[-i] = 7;"),
    "beyond-a-local-variable": kernel("int x = 0; *(&x + 1000) = 7; out[0] = x;"),
    "beyond-a-local-array": kernel("int a[4]; a[0] = 1; (&a[0])[99999] = 7; out[0] = a[0];"),
    "function-of-the-prelude": kernel("sincosf(1.0f, out, out + 9999);"),
    "atomic-anywhere": kernel("atomicAdd((int*)0x123456789000, 1);"),
    "atomic-on-blockIdx": kernel("atomicAdd((int*)&blockIdx, 1);"),
    "read-anywhere": kernel("out[0] = *(float*)0x123456789000;"),
    "struct-copy-anywhere": kernel("struct S { long v[4]; }; *(S*)0x123456789000 = S();"),
    "printf-string": kernel('printf("%s", (const char*)0x123456789000);'),
    "printf-format": kernel("printf((const char*)0x123456789000);"),
}

_AROUND = {
    "below-the-stack-by-memset": kernel("char c; memset(&c - 4000, 0, 3900); out[0] = c;"),
    "below-the-stack-by-memcpy": kernel("char c; memcpy(&c - 4000, out, 256); out[0] = c;"),
    "below-the-stack": kernel("volatile char c; for (int i = 40; i < 3000; i++) (&c)[-i] = 1;"),
    "read-below-the-stack": kernel("volatile char c; for (int i = 40; i < 3000; i++) out[0] += (&c)[-i];"),
    "beyond-the-stack": kernel("float a[8]; a[threadIdx.x] = 1; char c; memset(&c, 2, 1 << 20);"),
    "read-beyond-the-stack": kernel("float a[8]; a[threadIdx.x] = 1; memcpy(out, a, 1 << 20);"),
    "read-own-code": kernel("const long* p = (const long*)&k; out[0] = p[0];"),
    "read-below-own-code": kernel(
        "const char* p = (const char*)&k; for (int i = 0; i < 1 << 20; i++) out[0] += p[-i];"
    ),
    "read-beyond-a-string": kernel('const char* p = "abc"; for (int i = 0; i < 1 << 20; i++) out[0] += p[i];'),
    "read-below-a-string": kernel('const char* p = "abc"; for (int i = 0; i < 1 << 20; i++) out[0] += p[-i];'),
    "copy-from-beyond-a-string": kernel('memcpy(out, "abc", 256);'),
    "write-to-a-string": kernel('((char*)"abc")[1] = 7;'),
    "print-own-code": kernel('printf("%s", (const char*)&k);'),
    "print-the-runtimes-code": kernel('printf("%s", (const char*)&printf);'),
    "print-some-of-own-code": kernel('printf("%.9s", (const char*)&k);'),
    "print-so-much-of-own-code": kernel('printf("%.*s", 9, (const char*)&k);'),
    "own-code-as-a-format": kernel("printf((const char*)&k);"),
    "print-from-beyond-the-stack": kernel('char a[4] = {65, 65, 65, 65}; printf("%s", a + 65536);'),
    "print-text-without-an-end": kernel('memset(out, 65, 256); printf("%s", (const char*)out);'),
}

_SPELLINGS = {
    "integer-of-128-bits": kernel(f"*(__int128*){NOWHERE} = 5;"),
    "long-double": kernel(f"*(long double*){NOWHERE} = 5;"),
    "long-double-unnamed": kernel(f"*(decltype(1.0L)*){NOWHERE} = 5;"),
    "bit-field-of-24": kernel(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned a : 24; char tail; };"),
    "bit-field-of-56": kernel(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned long a : 56; char tail; };"),
    "bit-field-of-a-word": kernel(f"((B*){NOWHERE})->a = 5;", "struct B { unsigned a : 8, b : 24; };"),
    "modf": kernel(f"modf(3.7, (double*){NOWHERE});"),
    "struct-by-value": kernel(f"f(*(S*){NOWHERE});", "struct S { long v[9]; };\n__device__ void f(S s) {}"),
    "struct-returned": kernel(
        f"*(S*){NOWHERE} = f();", "struct S { long v[9]; };\n__device__ S f() { S s = {}; return s; }"
    ),
    "destructor": kernel(f"((S*){NOWHERE})->~S();", "struct S { int x; __device__ ~S() { x = 1; } };"),
    "pointer": kernel(f"n = 5; ((S*){NOWHERE})->p = &n;", "__device__ int n;\nstruct S { int* p; };"),
    "lambda": kernel(f"auto f = [=] {{ *(int*){NOWHERE} = 1; }}; f();"),
    "range-loop": kernel(f"for (int& x : *(int(*)[4]){NOWHERE}) x = 1;"),
    "complex": kernel(f"*(_Complex double*){NOWHERE} = 5;"),
    "integer-of-77-bits": kernel(f"*(volatile _BitInt(77)*){NOWHERE} = 5;"),
    "pointer-to-member": kernel(
        f"S s{{3}}; union {{ int S::*p; long n; }} u; u.n = {NOWHERE}; s.*u.p = 7;", "struct S { int x; };"
    ),
    "placement-new": kernel(
        f"new ((void*){NOWHERE}) int(3);", "__device__ void* operator new(size_t, void* p) { return p; }"
    ),
    "new-of-a-class": kernel(
        "new S;", f"struct S {{ int x = 3; __device__ void* operator new(size_t) {{ return (void*){NOWHERE}; }} }};"
    ),
    "delete-of-a-class": kernel(
        "delete (S*)out;", f"struct S {{ __device__ void operator delete(void*) {{ *(int*){NOWHERE} = 1; }} }};"
    ),
    "cleanup": kernel("int x __attribute__((cleanup(c))) = 1;", f"__device__ void c(int*) {{ *(int*){NOWHERE} = 7; }}"),
    "address-space-of-shared-memory": kernel(f"*(int __attribute__((address_space(3)))*){NOWHERE} = 5;"),
    "near-the-runtimes-code": kernel("emu = 1;".replace("emu", "*(long*)((char*)&printf + 0x4000)")),
    "own-code": kernel("const long* p = (const long*)&k; for (int i = 0; i < 4096; i++) ((long*)p)[i] ^= 1;"),
}

_CALLS = {
    "nowhere": kernel("((void (*)())0x123456789000)();"),
    "null": kernel("((void (*)())0)();"),
    "runtime-function": kernel("void (*volatile f)() = (void (*)())&printf; f();"),
    "middle-of-the-runtime": kernel("((void (*)())((char*)&printf + 64))();"),
    "own-function-of-another-type": kernel("((void (*)(int))&k)(3);"),
}

_JUMPS = {
    "pointer-to-function": kernel("long f = (long)&printf; ((void (*)())f)();"),
    "into-a-function": kernel('auto* f = (int (*)(const char*, ...))((char*)&printf + 8); f("x");'),
    "into-own-code": kernel("auto f = (void (*)(float*))((char*)&k + 5); f(out);"),
    "data": kernel("((void (*)(float*))(char*)out)(out);"),
    "into-own-code-by-memory": kernel(
        "((F*)out)[0] = (F)((char*)&k + 5); ((F*)out)[0](out);", "typedef void (*F)(float*);"
    ),
}

_COPIES = {
    "to-the-stack": _copying("__pipeline_memcpy_async(a, out, 16);"),
    "from-the-stack": _copying("__pipeline_memcpy_async(s, a, 16);"),
    "zeros-to-the-stack": _copying("__pipeline_memcpy_async(a, out, 16, 16);"),
    "by-a-group": _copying(
        "cooperative_groups::memcpy_async(cooperative_groups::this_thread_block(), a, (char*)out, 16);"
    ),
}

_STACKS = {
    "recursion": kernel("out[0] = f(1);", "__device__ int f(int n) { return f(n + 1) + 1; }"),
    "local-256-KB": kernel("float a[1 << 16]; a[threadIdx.x] = 1; out[0] = a[threadIdx.x / 2];"),
}


def _defining(head: str, call: str) -> str:
    """The text's own function by a library's name, which does nothing. The kernel goes astray after its call."""
    return kernel(f"{call} out[99999] = 1;", f'extern "C" __device__ {head}')


_NAMES = {
    "memcpy_chk": _defining(
        "void* __memcpy_chk(void* d, const void*, unsigned long, unsigned long) { return d; }",
        f"__memcpy_chk((void*){NOWHERE}, out, 16, -1);",
    ),
    "memset_chk": _defining(
        "void* __memset_chk(void* d, int, unsigned long, unsigned long) { return d; }",
        f"__memset_chk((void*){NOWHERE}, 7, 16, -1);",
    ),
    "sprintf": _defining(
        "int sprintf(char*, const char*, ...) { return 0; }",
        f'volatile int c = 66; sprintf((char*){NOWHERE}, "%c", c);',
    ),
    "strcpy": _defining("char* strcpy(char* d, const char*) { return d; }", f'strcpy((char*){NOWHERE}, "AAAABBBB");'),
    "strncpy": _defining(
        "char* strncpy(char* d, const char*, unsigned long) { return d; }",
        f'strncpy((char*){NOWHERE}, "AAAABBBB", 8);',
    ),
    "mempcpy-by-a-pointer": _defining(
        "void* mempcpy(void* d, const void*, unsigned long) { return d; }",
        f"void* (*volatile f)(void*, const void*, unsigned long) = mempcpy; f((void*){NOWHERE}, out, 16);",
    ),
}

#: Accesses of what is not the kernel's: the runtime's memory, code, tables and stacks.
MEMORY = attacks({**_WRITES, **_AROUND}, "OutOfBounds")
#: Accesses by every corner of the language in which one might have no hook.
SPELLINGS = attacks(_SPELLINGS, "OutOfBounds")
#: Calls and jumps to what is no function of the text.
JUMPS = attacks({**_CALLS, **_JUMPS}, "Crash")
#: Asynchronous copies that would land on a stack, later.
COPIES = attacks(_COPIES, "Crash")
#: Functions that the optimizer takes for a library's, and would replace by accesses of its own.
NAMES = attacks(_NAMES, "OutOfBounds")
#: Stacks without end.
STACKS = attacks(_STACKS, "Crash")
