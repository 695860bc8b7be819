"""Hostile kernels that misuse the language, and that no rule about the text finds: each is refused by the compiler,
the reserved names or the verifier, or is watched as any other; and texts that look like them, and are right."""

from __future__ import annotations

from autograder.classroom.attacks import NOWHERE, kernel

_PAST = """P a[32] = {};
volatile int number = 37; int i = number;
PROMISE
if (i >= 0 && i < 1000) a[i].v = 7;
for (int n = 0; n < 32; n++) out[0] += a[n].v;"""


def _past(promise: str, before: str = "") -> str:
    """A kernel that goes past the end of an array, unless a promise keeps the check away."""
    return kernel(_PAST.replace("PROMISE", promise), "struct P { int v; };\n" + before)


#: Attributes, in all spellings.
ATTRIBUTES = {
    "annotate-cluster": kernel("out[0]=1;", "").replace(
        "__global__", '__attribute__((annotate("emu __cluster_dims__"))) __global__'
    ),
    "annotate-cluster-arg": kernel("out[0]=1;", "__device__ int y;").replace(
        "__global__", '__attribute__((annotate("emu __cluster_dims__", &y, "x"))) __global__'
    ),
    "annotate-constant-fn": kernel("f();", '__attribute__((annotate("emu __constant__"))) __device__ void f() {}'),
    "annotate-constant-var": kernel(
        "v=3; out[0]=v;", '__attribute__((annotate("emu __constant__"))) __device__ int v;'
    ),
    "annotate-global-fn": kernel(
        "out[0]=f();", '__attribute__((annotate("emu __global__"))) __device__ int f() { return 3; }'
    ),
    "annotate-empty": kernel("out[0]=1;", '__attribute__((annotate(""))) __device__ int v;'),
    "annotate-local": kernel('int x __attribute__((annotate("emu __device__"))) = 3; out[0]=x;'),
    "annotate-field": kernel("S s; s.x=3; out[0]=s.x;", 'struct S { int x __attribute__((annotate("q"))); };'),
    "nodebug": kernel("f();", f"__attribute__((nodebug)) __device__ void f() {{ *(int*){NOWHERE} = 7; }}"),
    "no_sanitize-bounds": kernel(
        "f(out);",
        '[[gnu::no_sanitize("array-bounds")]] __device__ void f(float* o) { int '
        "a[2][3] = {}; volatile int i = 4; o[0] = a[0][i]; }",
    ),
    "no_sanitize-pasted": kernel(
        "f(out);",
        "#define C(a,b) a##b\n"
        '__attribute__((C(no_,sanitize)("all"))) __device__ void f(float* o) { int a[2][3] = {}; '
        "volatile int i = 4; o[0] = a[0][i]; }",
    ),
    "as256": kernel("*(int __attribute__((address_space(256)))*)8 = 5;"),
    "as3-var-init": kernel("out[0]=v;", "__device__ int __attribute__((address_space(3))) v = 5;"),
    "as4-var": kernel("out[0]=v;", "__device__ const int __attribute__((address_space(4))) v = 5;"),
    "as5-var": kernel("v=3; out[0]=v;", "__device__ int __attribute__((address_space(5))) v;"),
    "vector64": kernel(f"*(V*){NOWHERE} = V{{}};", "typedef int V __attribute__((vector_size(64)));"),
    "assume-omp": _past("f();", '__attribute__((assume("omp_no_openmp"))) __device__ void f() {}'),
    "musttail": kernel("f();", "__device__ void g() {}\n__device__ void f() { [[clang::musttail]] return g(); }"),
    "naked": kernel("f();", "__attribute__((naked)) __device__ void f() {}"),
    "alias-emu": kernel("f();", '__device__ void f() __attribute__((alias("emu_fence")));'),
    "weakref": kernel("f();", 'static __device__ void f() __attribute__((weakref("emu_fence")));'),
    "ifunc": kernel(
        "g();", 'extern "C" __device__ void* r() { return 0; }\n__device__ void g() __attribute__((ifunc("r")));'
    ),
    "device-ctor": kernel(
        "out[0]=1;", "__device__ int early;\n[[gnu::constructor]] __device__ void f() { early = 1; }"
    ),
    "device-dtor": kernel("out[0]=1;", "__device__ int early;\n[[gnu::destructor]] __device__ void f() { early = 1; }"),
    "init_priority": kernel(
        "out[0]=1;",
        "struct S { int v; __device__ S() : v(3) {} };\n__attribute__((init_priority(200))) __device__ S s;",
    ),
    "target-clones": kernel(
        "f(out);", '__attribute__((target_clones("avx2","default"))) __device__ void f(float* o) { o[0] = 1; }'
    ),
    "ms_abi": kernel("f(out);", "__attribute__((ms_abi)) __device__ void f(float* o) { o[0] = 1; }"),
    "optnone": kernel("f(out);", "[[clang::optnone]] __device__ void f(float* o) { o[0] = 1; }"),
    "aligned-huge": kernel("v=1;", "__attribute__((aligned(1<<28))) __device__ int v;"),
    "aligned-shared": kernel("__attribute__((aligned(1<<28))) __shared__ int v; v=1;"),
    "tls": kernel("out[0]=v;", '__attribute__((tls_model("local-exec"))) __device__ int v;'),
    "weak": kernel("f();", "__attribute__((weak)) __device__ void f();"),
    "declspec": kernel("f();", "__declspec(noreturn) __device__ void f() {}"),
    "regparm": kernel("f(1);", "__attribute__((regparm(3))) __device__ void f(int) {}"),
    "device_by_attr": kernel("out[0]=f();", "__attribute__((device)) int f() { return 3; }"),
    "no_builtin": kernel("f(out);", '__attribute__((no_builtin("memset"))) __device__ void f(float* o) { o[0] = 1; }'),
    "speculative": kernel(
        "f(out);", "__attribute__((speculative_load_hardening)) __device__ void f(float* o) { o[0] = 1; }"
    ),
}
#: Functions and variables outside the text, and definitions of them.
NAMES = {
    "c-decl": kernel('out[0]=system("x");', 'extern "C" __device__ int system(const char*);'),
    "c-decl-in": kernel('extern "C++" __device__ int getpid(); out[0]=getpid();'),
    "environ": kernel("out[0]=environ!=0;", "extern __device__ char** environ;"),
    "stdout": kernel("out[0]=stdout!=0;", "extern __shared__ int a[]; extern __device__ void* stdout;"),
    "shared-star": kernel("out[0]=environ!=0;", "extern __shared__ char bytes[], *environ;"),
    "shared-int": kernel("a[0]=1; out[0]=stdout+a[0];", "extern __shared__ int a[], stdout, b[];"),
    "hook-asm": kernel("f(out);", 'extern "C" __device__ void f(void*) __asm__("__tsan_write4");'),
    "hook-unlisted": kernel("__tsan_func_exit();", 'extern "C" __device__ void __tsan_func_exit();'),
    "hook-atomic": kernel(
        f"__tsan_atomic32_store((int*){NOWHERE},1,0);",
        'extern "C" __device__ void __tsan_atomic32_store(int*,int,int);',
    ),
    "told-pasted": kernel(
        f"C(emu_numbered_,write4)(0,(void*){NOWHERE});",
        '#define C(a,b) a##b\nextern "C" __device__ void C(emu_numbered_,write4)(unsigned, void*);',
    ),
    "counts-pasted": kernel(
        "C(emu_,write4)(0,out);", '#define C(a,b) a##b\nextern "C" __device__ void C(emu_,write4)(unsigned, void*);'
    ),
    "dispatch": kernel(
        "C(emu_,unknown)(0,out);", '#define C(a,b) a##b\nextern "C" __device__ void C(emu_,unknown)(unsigned, void*);'
    ),
    "dynamic-ext": kernel("extern __shared__ int emu_dynamic[]; out[0]=emu_dynamic[0];"),
    "kernel-def": kernel("out[0]=1;", "__device__ static constexpr void (*emu_kernel)(float*) = nullptr;"),
    "template": kernel("out[0]=1;", "extern template struct X<int>;"),
    "template2": kernel(
        "X<int> x; out[0]=x.f();",
        "template <class T> struct X { __device__ int f() { return 1; } };\nextern template struct X<int>;",
    ),
    "memcpy-def": kernel(
        "S a{},b; b=a; out[0]=b.x[3];",
        "struct S { int x[99]; };\n"
        'extern "C" __device__ void* memcpy(void* d, const void*, unsigned long) '
        f"{{ *(int*){NOWHERE} = 1; return d; }}",
    ),
    "malloc-def": kernel("out[0]=malloc(4)!=0;", 'extern "C" __device__ void* malloc(unsigned long) { return 0; }'),
    "sinf-def": kernel(
        "out[0]=sinf(1);", f'extern "C" __device__ float sinf(float) {{ *(int*){NOWHERE} = 1; return 0; }}'
    ),
    "got-c": kernel(
        "out[0]=_GLOBAL_OFFSET_TABLE_[0];", 'extern "C" { extern __device__ int _GLOBAL_OFFSET_TABLE_[]; }'
    ),
    "start-section": kernel("out[0]=__start_x[0];", 'extern "C" { extern __device__ char __start_x[]; }'),
    "undefined-ext-var": kernel("out[0]=v;", "extern __device__ int v;"),
    "undefined-ext-const": kernel("out[0]=v;", "extern __constant__ int v;"),
    "warpsize": kernel("out[0]=1;", 'extern "C" { __device__ int warpSize_; extern __device__ const int warpSize; }'),
    "index": kernel("out[0]=(long)emu_index;", 'extern "C" { extern __device__ void* emu_index; }'),
    "running": kernel("emu_running[2] = 0;", 'extern "C" { extern __device__ unsigned long emu_running[]; }'),
    "macro-extern": kernel('E "C" { int system(const char*); }', "#define E extern"),
    "syscall-local": kernel("extern __device__ long syscall(long,...); syscall(39);"),
    "llvm-name": kernel("f();", 'extern "C" __device__ void f() __asm__("llvm.trap");'),
    "scalar": kernel("extern __shared__ float s; out[0]=s;"),
}
#: Jumps to computed places.
JUMPS = {
    "label-addr": kernel("void* p = &&a; out[0]=(long)p; a: ;"),
    "table": kernel("static void* t[] = {&&a, &&b}; goto *t[0]; a: b: ;"),
    "cast": kernel(f"goto *(void*){NOWHERE};"),
    "label-macro": kernel("goto L; a:;", "#define L *(void*)0"),
    "asmgoto": kernel('asm goto("" : : : : a); a: out[0]=1;'),
    "in-lambda": kernel("auto f=[]{ void* p=&&a; goto *p; a:; }; f();"),
    "other-fn": kernel("goto *g();", "__device__ void* g() { a: return &&a; }"),
    "diff": kernel("out[0]=(char*)&&a-(char*)&&b; a: b: ;"),
    "constexpr": kernel("f();", "__device__ constexpr void* f() { a: return &&a; }"),
    "local-label": kernel("__label__ a; goto *&&a; a: ;"),
    "addrlabel-indirect": kernel("volatile long d=8; goto *((char*)&&a+d); a: ;"),
    "past-init": kernel("goto a; int x=3; a: out[0]=x;"),
}
#: Types, objects and functions that CUDA or the emulator lacks.
LANGUAGE = {
    "memfn-bad": kernel(
        f"S s; union {{ void (S::*p)(); long n[2]; }} u; u.n[0] = {NOWHERE}; u.n[1]=0; (s.*u.p)();",
        "struct S { __device__ void f() {} };",
    ),
    "memfn-const": kernel("S s; (s.*(&S::f))();", "struct S { __device__ void f() {} };"),
    "virtual": kernel(
        "W w; V* v=&w; out[0]=v->f();",
        "struct V{ __device__ virtual int f()=0;}; struct W:V{ __device__ int f(){return 3;}};",
    ),
    "virtual-bad": kernel(
        f"W w; *(long*)&w = {NOWHERE}; V* v=&w; out[0]=v->f();",
        "struct V{ __device__ virtual int f()=0;}; struct W:V{ __device__ int f(){return 3;}};",
    ),
    "virtual-notcalled": kernel("W w; out[0]=w.x;", "struct W{ int x=2; __device__ virtual int f(){return 3;}};"),
    "virtual-base": kernel("W w; w.x=3; out[0]=w.x;", "struct V { int x; };\nstruct W : virtual V {};"),
    "virtual-base-bad": kernel(
        f"W w; *(long*)&w = {NOWHERE}; V& v=w; v.x=7;", "struct V { int x; };\nstruct W : virtual V {};"
    ),
    "global-virtual": kernel(
        "out[0]=w.x;", "struct W{ int x; __device__ virtual int f(){return 3;}};\n__device__ W w;"
    ),
    "new": kernel("int* p = new int; *p=1;"),
    "new-nothrow": kernel(
        "int* p = new (std::nothrow) int;",
        "namespace std { struct nothrow_t {}; inline constexpr nothrow_t nothrow; }\n"
        f"__device__ void* operator new(size_t, const std::nothrow_t&) {{ return (void*){NOWHERE}; }}",
    ),
    "new-own": kernel(
        "int* p = new int; *p=1;", f"__device__ void* operator new(size_t) {{ return (void*){NOWHERE}; }}"
    ),
    "delete": kernel(f"int* p=(int*){NOWHERE}; delete p;"),
    "delete-own": kernel(
        "int* p=(int*)out; delete p;", f"__device__ void operator delete(void* p) {{ *(int*){NOWHERE} = 1; }}"
    ),
    "operator-new-call": kernel("::operator new(4);"),
    "builtin-new": kernel("__builtin_operator_new(4);"),
    "malloc": kernel("out[0]=malloc(3)!=0;"),
    "alloca": kernel("alloca(100);"),
    "dynamic-cast-up": kernel(
        "W w; out[0]=dynamic_cast<V*>(&w)!=0;", "struct V { __device__ virtual void f(){} }; struct W : V {};"
    ),
    "dynamic-cast-down": kernel(
        "W w; V* v=&w; out[0]=dynamic_cast<W*>(v)!=0;", "struct V { __device__ virtual void f(){} }; struct W : V {};"
    ),
    "typeid": kernel("out[0]=&typeid(int)!=0;", "namespace std { class type_info {}; }"),
    "throw": kernel("throw 1;"),
    "try": kernel("try { out[0]=1; } catch (...) {}"),
    "thread_local-static": kernel("static thread_local int x; x=1;"),
    "thread_local-device": kernel("x=1;", "thread_local __device__ int x;"),
    "atomic": kernel("_Atomic int x; x=1; out[0]=x;"),
    "atomic-wild": kernel(f"*(_Atomic int*){NOWHERE} = 1;"),
    "atomic-odd": kernel("struct S {char c[3];}; _Atomic(S) x; S s; x=s;"),
    "seg_fs": kernel("*(int __seg_fs*)8 = 1;"),
    "fp16": kernel("__fp16 x = 5; out[0]=x;"),
    "float16": kernel("_Float16 x = 5; out[0]=x;"),
    "float128": kernel("__float128 x = 5; out[0]=x;"),
    "coro": kernel("out[0]=1; co_return;"),
    "coro-builtin": kernel("__builtin_coro_noop();"),
    "va": kernel("f(1,2);", "__device__ void f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n); }"),
    "blocks": kernel("auto b = ^{ }; b();"),
    "nested-fn": kernel("int f() { return 1; } out[0]=f();"),
    "vla": kernel("volatile int n=-5; int a[n]; a[0]=1;"),
    "launch": kernel("k<<<1,1>>>(out);"),
    "launch-var": kernel("auto q=k; q<<<1,1>>>(out);"),
    "launch-bounds": kernel("k(out);"),
    "texture": kernel("out[0]=1;", "texture<float> t;"),
    "tex2d": kernel("out[0]=tex2D<float>(0,1,1);"),
    "surf": kernel("surf2Dwrite(1.0f,0,1,1);"),
    "cudamalloc": kernel("float* p; cudaMalloc(&p, 4);"),
    "cudasync": kernel("cudaDeviceSynchronize();"),
    "clusterdim": kernel("out[0]=__clusterDim().x;"),
    "isglobal": kernel("out[0]=__isGlobal(out);"),
    "barrier_sync": kernel("__barrier_sync(0);"),
    "cvta": kernel("out[0]=__cvta_generic_to_global(out);"),
    "bulk": kernel("cuda::device::experimental::cp_async_bulk_wait_group<0>();", "#include <cuda/barrier>"),
    "nvvm": kernel("__nvvm_bar_sync(0);"),
    "nvvm-ldg": kernel(f"out[0]=__nvvm_ldg_f((float*){NOWHERE});"),
    "nvvm-memcpy": kernel(
        "__nvvm_cp_async_ca_shared_global_4((int "
        "__attribute__((address_space(3)))*)8,(int __attribute__((address_space(1)))*)8);"
    ),
    "unreachable": _past("if (i >= 32) __builtin_unreachable();"),
    "std-unreachable": _past("if (i >= 32) u();", "[[noreturn]] __device__ void u() { while(1); }"),
    "int128": kernel("volatile __int128 n = 7; out[0]=n+n;"),
    "init-list": kernel("for (int i : {1,2,3}) out[i]=i;"),
    "export": kernel("", "export int x;"),
    "export-module": kernel("", "export module m;"),
    "import-file": kernel("", 'import "/etc/passwd";'),
    "modules-pasted": kernel("", "#define C(a,b) a##b\nC(imp,ort) <stdio.h>;"),
}
#: Names made by macros, and second spellings.
SPELLINGS = {
    "trigraph-inc": '??=include "/etc/passwd"\n' + kernel(""),
    "trigraph-comment": '// a ??/\n#include "/etc/hostname"\n' + kernel(""),
    "mid-hash": kernel('int y; #include "/etc/passwd"'),
    "hash-macro": kernel('H include "/etc/passwd"', "#define H #"),
    "hash-macro-line": '#define H #\nH include "/etc/passwd"\n' + kernel(""),
    "hash-args": '#define I(x) x\nI(\n#include "/etc/passwd"\n)\n' + kernel(""),
    "kw-void": kernel("out[0]=1;").replace("__global__ void", "#define void int\n__global__ void"),
    "kw-all-asm": kernel(
        'unsigned x; asm("mov.u32 %0, %%tid.x;" : "=r"(x)); out[0]=x;',
        "#define extern static\n#define const volatile\n#define void int\n#define unsigned char\n#define struct union",
    ),
    "open-brace": kernel("out[0]=1; B ", "#define B {"),
    "unclosed-if": "#if 1\n" + kernel("out[0]=1;"),
    "unclosed-comment": kernel("out[0]=1;") + "/*",
    "unclosed-string": kernel("out[0]=1;") + '"',
    "unclosed-macro": "#define M(x) x\n" + kernel("out[0]=1;") + "M(",
    "endif": kernel("out[0]=1;") + "#if 0\n",
    "va_opt": kernel("out[0]=F(1);", "#define F(...) 1 __VA_OPT__(+ emu_sleep)"),
    "paste-nested": kernel("O(N(e))_sleep(0);", "#define M(a) a##u\n#define N(a) a##m\n#define O(a) M(a)"),
    "paste-tsan": kernel(
        "C(__tsan_,write4)(out);", '#define C(a,b) a##b\nextern "C" __device__ void C(__tsan_,write4)(void*);'
    ),
    "paste-raw": kernel("f();", "#define C(a,b) a##b\nC(EMU_,RAW) void f() {}"),
    "paste-fn": kernel("f();", "#define RAW(x) x##_RAW\n#define F(x) RAW(x)\nF(__UINT32_C(EM)) __device__ void f() {}"),
    "paste-has": kernel("out[0]=1;", '#define C(a,b) a##b\n#if C(__has_,include)("/etc/passwd")\n#endif'),
    "paste-pragma": kernel('C(_Pra,gma)("clang optimize off") out[0]=1;', "#define C(a,b) a##b"),
    "paste-noparm": kernel("A(0);", "#define A emu##_sleep"),
    "has_builtin": kernel("out[0]=1;", "#if __has_builtin(__builtin_trap)\n#endif"),
}
#: What they do is watched, and seen.
WATCHED = {
    # (The compiler may believe that it reads nothing.)
    **{
        f"{word}-function": kernel(
            "out[0] = f(out + (1 << 20));",
            f"__attribute__(({word})) __device__ float f(const float* p) {{ return *p; }}",
        )
        for word in ("const", "pure")
    },
    "alwaysinline-nosan": kernel(
        "f(out);", "__attribute__((always_inline)) inline __device__ void f(float* o) { o[999] = 1; }"
    ),
    "as1": kernel(f"*(int __attribute__((address_space(1)))*){NOWHERE} = 5;"),
    "as3": kernel(f"*(int __attribute__((address_space(3)))*){NOWHERE} = 5;"),
    "vector-ext": kernel(f"*(V*){NOWHERE} = V{{}};", "typedef float V __attribute__((ext_vector_type(3)));"),
    "cleanup": kernel(
        "int x __attribute__((cleanup(c))) = 1;", f"__device__ void c(int* p) {{ *(int*){NOWHERE} = 7; }}"
    ),
    "nonnull": _past("if (i >= 32) f(0);", "__attribute__((nonnull)) __device__ void f(int*) {}"),
    "returns_nonnull": _past("if (i >= 32) f();", "__attribute__((returns_nonnull)) __device__ int* f() { return 0; }"),
    "assume_aligned": _past(
        "if (i >= 32) f();", "__attribute__((assume_aligned(64))) __device__ int* f() { return (int*)1; }"
    ),
    "assume-attr": _past("__attribute__((assume(i < 32)));"),
    "assume-std": _past("[[assume(i < 32)]];"),
    "noreturn-type": _past(
        "if (i >= 32) ((N*)f)();", "__device__ void f() {}\ntypedef void N() __attribute__((noreturn));"
    ),
    "noderef": kernel("__attribute__((noderef)) int* p = 0; out[0]=*p;"),
    "mode-ti": kernel(f"typedef int T __attribute__((mode(TI))); *(T*){NOWHERE} = 5;"),
    "constant_by_attr": kernel("v=3; out[0]=v;", "__attribute__((constant)) int v;"),
    "dynamic-sym": kernel("out[0]=_DYNAMIC[0];", 'extern "C" { extern __device__ long _DYNAMIC[]; }'),
    "end": kernel("out[0]=_end[0];", 'extern "C" { extern __device__ char _end[]; }'),
    "macro-decl": kernel("D(float,s); s[0]=1; out[0]=s[0];", "#define D(T,n) extern __shared__ T n[]"),
    "two-names": kernel("extern __shared__ float s[], t[]; s[0]=1; out[0]=t[0];"),
    "memptr-bad": kernel(
        f"S s{{3}}; union {{ int S::*p; long n; }} u; u.n = {NOWHERE}; s.*u.p = 7;", "struct S { int x; };"
    ),
    "new-placement": kernel(
        f"new ((void*){NOWHERE}) int(3);", "__device__ void* operator new(size_t, void* p) { return p; }"
    ),
    "new-class": kernel(
        "new S;", f"struct S {{ int x = 3; __device__ void* operator new(size_t) {{ return (void*){NOWHERE}; }} }};"
    ),
    "new-array-cookie": kernel(
        f"new ((void*){NOWHERE}) S[3];",
        "struct S { int x = 3; __device__ ~S() {} };\n__device__ void* operator new[](size_t, void* p) { return p; }",
    ),
    "delete-class": kernel(
        "delete (S*)out;", f"struct S {{ __device__ void operator delete(void*) {{ *(int*){NOWHERE} = 1; }} }};"
    ),
    "fnptr": kernel(f"auto p=(void(*)()){NOWHERE}; p();"),
    "bitint-wild": kernel(f"*(_BitInt(77)*){NOWHERE} = 5;"),
    "float16-wild": kernel(f"*(_Float16*){NOWHERE} = 5;"),
    "falls-off": _past("if (i >= 32) u();", "__device__ int u() { }"),
    "int128-wild": kernel(f"*(__int128*){NOWHERE} = 7;"),
    "undef-printf": kernel('printf("%d",1);', "#undef printf\n#define printf(...) out[99999]=1"),
}
#: They run, because nothing is gained.
TAKEN = {
    "memfn-template": kernel(
        "S s; call<&S::f>(s); out[0]=s.x;",
        "struct S { int x; __device__ void f() { x = 4; } };\n"
        "template <void (S::*p)()> __device__ void call(S& s) { (s.*p)(); }",
    ),
    "member-by-pointer": kernel("S s; auto p = &S::f; (s.*p)();", "struct S { __device__ void f() {} };"),
    "member-by-two-pointers": kernel("S s; auto p = &S::f; ((&s)->*p)();", "struct S { __device__ void f() {} };"),
    "section-init": kernel("", '__attribute__((section(".init_array"))) __device__ void (*f)() = 0;'),
    "section-text": kernel("out[0]=v;", '__attribute__((section(".text"))) __device__ int v = 3;'),
    "section-bss": kernel("out[0]=v;", '__attribute__((section(".bss"))) __device__ int v = 3;'),
    "section-shared": kernel("out[0]=v;", '__attribute__((section(".bss.emu_shared.0"))) __device__ int v = 3;'),
    "section-dynamic": kernel("out[0]=v;", '__attribute__((section(".bss.emu_dynamic"))) __device__ int v = 3;'),
    "section-constant": kernel("v=4; out[0]=v;", '__attribute__((section(".emu_constant"))) __device__ int v = 3;'),
    "alias": kernel("f();", 'extern "C" __device__ void r() {}\n__device__ void f() __attribute__((alias("r")));'),
    "target": kernel("f(out);", '__attribute__((target("avx512f"))) __device__ void f(float* o) { o[0] = 1; }'),
    "shared_by_attr": kernel("static __attribute__((shared)) int s; s=1; out[0]=s;"),
    "loader_uninit": kernel("out[0]=v;", "__attribute__((loader_uninitialized)) __device__ int v;"),
    "uninitialized": kernel("[[clang::uninitialized]] int v; out[0]=v;"),
    "likely": kernel("[[likely]] out[0]=1;"),
    "stack-protect": kernel("f(out);", "__attribute__((no_stack_protector)) __device__ void f(float* o) { o[0] = 1; }"),
    "own-ext-var": kernel("out[0]=v;", "extern __device__ int v;\n__device__ int v = 3;"),
    "strlen-def": kernel(
        'out[0]=strlen("abc");', 'extern "C" __device__ unsigned long strlen(const char*) { return 7; }'
    ),
    "private-def": kernel("out[0]=f();", "__private_extern__ __device__ int f() { return 3; }"),
    "plain": kernel("goto a; a: out[0]=1;"),
    "stmt-expr": kernel("({ goto a; }); a: out[0]=1;"),
    "into-scope": kernel("goto a; { int x[3]; x[0]=1; a: out[0]=x[0]; }"),
    "switch-jump": kernel("switch((int)out[0]) { case 0: goto b; default: b: out[0]=2; }"),
    "memptr-data": kernel("S s{3}; int S::*p = &S::x; out[0]=s.*p;", "struct S { int x; };"),
    "bitint": kernel("_BitInt(77) x = 5; out[0]=(int)x;"),
    "complex": kernel("_Complex float x; __real__ x = 5; out[0]=__real__ x;"),
    "module-word": kernel("int module=1, import=2; out[0]=module+import;"),
    "digraphs": kernel("int a<:3:> = <% 1,2,3 %>; out[0]=a<:1:>;"),
    "kw-if": kernel("if (out[0]) out[0]=1;", "#define if while"),
    "kw-static": kernel("out[0]=1;", "#define static"),
    "kw-auto": kernel("out[0]=1;", "#define auto int"),
    "macro-in-prelude": kernel('printf("%d",1); assert(1); out[0]=1;'),
    "macro-min": kernel("out[0]=min(1,2);", "#define min(a,b) ((a)<(b)?(a):(b))"),
}
