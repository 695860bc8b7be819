"""Clang's messages in CUDA's terms, by pattern, where we know better than the compiler."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from ..core.diagnostics import Diagnostic
from .missing_includes import include_for_cuda, include_for_std
from .typos import Say

CONSTANT_SIZE = "the size of an array must be a constant, known to the compiler"
_DYNAMIC = "extern __shared__ takes an array without a size, such as tile[]; the launch gives the size"
_NO_KERNEL = "a __global__ function must have a void return type"
#: CUDA's words mistyped, or written as in another language.
_WORDS = (
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __syncthreads __syncthreads_count "
    "__syncthreads_and __syncthreads_or __syncwarp __threadfence __threadfence_block __shfl_sync __shfl_up_sync "
    "__shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask threadIdx blockIdx blockDim "
    "gridDim warpSize atomicAdd atomicSub atomicMax atomicMin atomicExch atomicCAS atomicAnd atomicOr atomicXor "
    "printf nullptr unsigned double return continue"
).split()
STREAMS = ("cout", "cerr", "clog", "endl", "cin")
_CONTAINERS = ("vector", "string", "map", "set", "list", "unordered_map", "deque")
_DEVICE_VARIABLE = "a __device__ variable is not allowed here"
_CONSTANT_IN_FUNCTION = "a __constant__ variable is not allowed in a function: put it outside, before the kernel"

UNDECLARED = "declare it above this line, and not only within other {...}"
_COMPARED = (
    "the library compares elements with <, which their type does not have: define operator<, or give a comparison"
)
_HOST_LAMBDA = (
    "a lambda that the host gives to a kernel must be marked as code for the GPU: [=] __device__ (...) {...}; nvcc "
    "needs --extended-lambda for it"
)


#: In a kernel's text, which may include no header of the host's.
KERNEL_RULES: tuple[tuple[str, Say], ...] = (
    (
        rf"^(?:use of undeclared identifier|no member named) '({'|'.join(STREAMS)})'",
        lambda m, *_: f"a kernel has no {m[1]}: it prints with printf",
    ),
    (
        r"^(?:use of undeclared identifier '(?=vector|string)|no \w+ named '(?=\w+' in namespace 'std'))"
        rf"({'|'.join(_CONTAINERS)})'",
        lambda m, *_: f"a kernel has no {m[1]} of the standard library: it works on arrays",
    ),
)
#: In a whole program.
PROGRAM_RULES: tuple[tuple[str, Say], ...] = (
    (
        r"^(?:no \w+ named '(\w+)' in namespace 'std'|use of undeclared identifier '(\w+)'$)",
        lambda m, *_: include_for_std(m[1] or m[2]),
    ),
    (
        r"^implicit instantiation of undefined template 'std::(?:basic_)?(\w+)",
        lambda m, *_: include_for_std(m[1]),
    ),
)
#: A pattern of messages, and what to say instead.
RULES: tuple[tuple[str, Say], ...] = (
    (
        r"^redefinition of '(.*)' for the host and the GPU$",
        lambda m, before, after, notes: (
            f"redefinition of '{m[1]}', which line {notes[0].line} defines: a function of the host and of the GPU is "
            "written once and marked __host__ __device__"
        ),
    ),
    (r"^host lambda called on the GPU$", lambda *_: _HOST_LAMBDA),
    (
        r"^no member named '(\w+)' in '__cuda_builtin_(\w+)_t'",
        lambda m, *_: f"{m[2]} has no member {m[1]}, only {m[2]}.x, {m[2]}.y and {m[2]}.z",
    ),
    (
        r"__cuda_builtin_(\w+)_t",
        lambda m, *_: _parts(m[1]),
    ),
    (
        r"^no viable overloaded operator\[\]",
        lambda m, before, after, _: (
            _parts(word[1]) if (word := re.match(r"\[\s*(\w+(?:Idx|Dim))\s*\]", after)) else None
        ),
    ),
    (
        r"^call to global function '(.*)' not configured$",
        lambda m, *_: (
            f"{m[1]} is a kernel, which the host launches, {m[1]}<<<blocks, threads>>>(...): what other code on the "
            "GPU calls is a __device__ function"
        ),
    ),
    (
        r"^indirection requires pointer",
        lambda m, before, *_: (
            "C++ has no operator ** for powers: multiply, or call powf" if before.endswith("*") else None
        ),
    ),
    (
        r"^invalid operands to binary expression",
        lambda m, before, after, _: (
            f"{m.string}; ^ is not a power, it is the exclusive or of integers" if after.startswith("^") else None
        ),
    ),
    (
        r"^invalid operands to binary expression .*'dim3'",
        lambda m, *_: f"{m.string}: a dim3 is three numbers, .x, .y and .z",
    ),
    (
        r"^(?:invalid operands to binary expression|no matching function for call to object)",
        lambda m, before, after, notes: _COMPARED if any("less<" in n.text for n in notes) else None,
    ),
    (
        r"^(?:use of undeclared identifier|unknown type name) '(\w+)'",
        lambda m, *_: include_for_cuda(m[1]),
    ),
    (
        r"^use of undeclared identifier 'cg'$",
        lambda m, *_: f"{m.string}: write namespace cg = cooperative_groups; at the top of the file",
    ),
    (
        r"^expected expression$",
        lambda m, before, after, _: (
            "this else belongs to no if: a ; after the if's condition ends it, and several statements need {...}"
            if re.match(r"else\b", after)
            else None
        ),
    ),
    (
        r"^expected namespace name$",
        lambda m, before, after, _: include_for_cuda(word[0]) if (word := re.match(r"\w+", after)) else None,
    ),
    (
        r"^(?:use of undeclared identifier|unknown type name) '(\w+)'$",
        lambda m, before, after, _: _meant(m.string, m[1], before + after),
    ),
    (r"^call to '(?:min|max)' is ambiguous", lambda m, *_: f"{m.string}: give both arguments the same type"),
    (r"^no matching function for call to '\w+'$", lambda m, before, after, notes: _fitting(m.string, notes)),
    (
        r"^unterminated function-like macro invocation",
        lambda m, before, after, _: (
            'a closing " is missing' if after.replace('\\"', "").count('"') % 2 else "a closing ')' is missing"
        ),
    ),
    (
        r"^expected (?:expression|unqualified-id)$",
        lambda m, before, after, _: "a comment begins with //, not with #" if after.startswith("#") else None,
    ),
    (
        r"^__shared__ variable '.*' cannot be 'extern'$",
        lambda *_: _DYNAMIC,
    ),
    (
        rf"^{CONSTANT_SIZE}$",
        lambda m, before, *_: _DYNAMIC if "extern" in before and "__shared__" in before else None,
    ),
    (
        r"^builtin functions must be directly called$",
        lambda *_: "without parentheses this calls nothing: __syncthreads()",
    ),
    (
        r"^reference to __device__ function '.*' in global initializer$",
        lambda *_: "dynamic initialization is not supported for a static variable in code on the GPU",
    ),
    (r"^kernel function type '.*' must have void return type$", lambda *_: _NO_KERNEL),
    (
        r"^kernel call to non-global function '(.*)'",
        lambda m, *_: f"{m[1]} is not a kernel: <<<...>>> launches only a function that is declared __global__ void",
    ),
    (
        r"^too few execution configuration arguments",
        lambda *_: "a launch has the numbers of blocks and of threads: <<<blocks, threads>>>",
    ),
    (
        r"^unterminated conditional directive$",
        lambda *_: "the #if, #ifdef or #ifndef has no #endif",
    ),
    (
        r"^initializer not allowed for __shared__ variable$",
        lambda m, before, after, _: (
            f"{m.string}: threads fill it in the kernel, with a __syncthreads() before others read it"
            if "=" in before + after
            else "no constructor runs for a __shared__ variable, and its type has one that does something: leave that "
            "out, and let threads fill the variable in the kernel"
        ),
    ),
    (
        r"^cannot use variable-length arrays in",
        lambda m, before, after, _: f"{CONSTANT_SIZE}{f'; {_DYNAMIC}' if '__shared__' in before + after else ''}",
    ),
    (
        r"^no viable conversion from '(std::\w+)<.*>' to '.* \*'$",
        lambda m, *_: (
            f"a {m[1]} is not a pointer, and the GPU has no access to it: copy its elements to memory from cudaMalloc, "
            "and pass that"
        ),
    ),
    (
        r"^expected expression$",
        lambda m, before, after, _: (
            "a launch is written <<<blocks, threads>>>, with no space inside <<< or >>>"
            if re.search(r"<<\s+<|<\s+<<|>>\s+>|>\s+>>", before + after)
            else None
        ),
    ),
    (
        r"^capture host variable '(\w+)' by reference",
        lambda m, *_: f"the lambda runs on the GPU and captures {m[1]} by reference: capture by value, [=]",
    ),
    (
        r"^kernel function '(\w+)' must be a free function",
        lambda m, *_: f"a kernel cannot be a member of a class: declare {m[1]} outside, and pass what it needs",
    ),
    (
        r"^no member named '(\w+)' in '(?:\w*?\D)([1-4])'",
        lambda m, *_: f"{m.string}: its members are {', '.join('xyzw'[: int(m[2])])}",
    ),
    (
        r"^reference to __device__ function 'emu_[xyz]' in __host__",
        lambda *_: "threadIdx, blockIdx, blockDim and gridDim exist only in code that runs on the GPU",
    ),
    (
        r"^recursive template instantiation exceeded",
        lambda m, *_: "the template uses itself without end: a specialization, or if constexpr, must end it",
    ),
    (
        r"^array initializer must be an initializer list",
        lambda m, before, after, _: (
            f"new gives a pointer: declare *{word[0]}, not {word[0]}[]"
            if (word := re.match(r"\w+(?=.*=\s*new\b)", after))
            else None
        ),
    ),
    (
        r"^cannot jump from this (\w+) statement to its",
        lambda m, before, after, notes: next(
            (
                f"the {m[1]} jumps past the initialization in line {n.line}: declare that variable before the {m[1]}"
                for n in notes
                if n.line and n.text == "jump bypasses variable initialization"
            ),
            None,
        ),
    ),
    (
        r"^__constant__, __device__, and __managed__ are not allowed on non-static local variables$",
        lambda m, before, after, _: _CONSTANT_IN_FUNCTION if "__constant__" in before + after else _DEVICE_VARIABLE,
    ),
    (
        r"^a type specifier is required for all declarations",
        lambda m, before, *_: _NO_KERNEL if "__global__" in before else None,
    ),
    (
        r"^invalid digit 'f' in decimal constant",
        lambda m, *_: f"{m.string}; a float has a point before its f: 2.0f",
    ),
    (
        r"^expected '}'",
        lambda m, before, after, notes: next((_unclosed(n.line) for n in notes if "'{'" in n.text), None),
    ),
)


def _parts(index: str) -> str:
    return f"{index} alone is not a number: it has the parts {index}.x, {index}.y and {index}.z"


def _unclosed(line: int) -> str:
    return f"a '}}' is missing: the '{{' in line {line} is not closed"


def _meant(text: str, word: str, code: str) -> str:
    if word not in code:
        return f"{text}, in a macro that this line uses"
    close = get_close_matches(word, _WORDS, n=1, cutoff=0.75)
    return f"{text}; did you mean '{close[0]}'?" if close else f"{text}: {UNDECLARED}"


def _fitting(text: str, notes: Sequence[Diagnostic]) -> str:
    """The message with the reason why no function fits, if it is the same for all or one wants an address."""
    whys = [m[1] for note in notes if (m := re.search(r"not viable: (.*)", note.text))]
    ignored = [m[1] for note in notes if (m := re.search(r"template ignored: (.*)", note.text))]
    for why in ignored:
        if m := re.match(r"deduced conflicting types for parameter '\w+' \('(.*?)'.* vs\. '(.*?)'", why):
            return f"{text}: give the arguments one type; they are {m[1]} and {m[2]}"
    ignored = [] if whys else ignored
    if unknown := next((m[1] for why in ignored if (m := re.search(r"infer template argument '(\w+)'", why))), ""):
        return f"{text}: no argument says what the template's {unknown} is, so name it in <...>"
    if misfit := next((m[1] for why in ignored if (m := re.match(r"invalid explicit.* parameter '(\w+)'", why))), ""):
        return f"{text}: {misfit}'s argument in <...> must be a constant, or a type if {misfit} is one"
    address = next((why for why in whys if "take the address" in why), None)
    if address:
        return f"{text}: take the address of the argument with &"
    if any(re.match(r"no known conversion from '.* \*' to 'void \*\*'", why) for why in whys):
        return f"{text}: pass the address of the pointer, with &"
    counts = [why for why in whys if re.search(r"\brequires\b.*argument", why)]
    if whys and (len(set(whys)) == 1 or len(counts) == len(whys)):
        return f"{text}: it {whys[0]}" if counts else f"{text}: {whys[0]}"
    return text
