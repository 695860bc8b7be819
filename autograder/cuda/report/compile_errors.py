"""Why a text does not compile, in CUDA's terms, where we know better than the compiler."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from ..core.findings import Diagnostic
from .missing_includes import include_for_cuda, include_for_std
from .typos import SLIPS, Say

_CONSTANT_SIZE = "the size of an array must be a constant, known to the compiler"
_DYNAMIC = "extern __shared__ takes an array without a size, such as tile[]; the launch gives the size"
#: Spellings in the compiled text, and what the student wrote.
_SPELLINGS = (
    ("emu_print_all", "printf"),
    ("no setter defined for property", "cannot assign to"),  # threadIdx.x
    ("initialization is not supported for __shared__ variables", "initializer not allowed for __shared__ variable"),
    (
        "variable with 'loader_uninitialized' attribute cannot have an initializer",
        "initializer not allowed for __shared__ variable",
    ),
    ("expected body of lambda expression", "a lambda takes neither __host__ nor __device__"),
    (
        "variable length arrays in C++ are a Clang extension",
        _CONSTANT_SIZE,
    ),
)
#: Clang's message about a function that begins where a '}' is missing before it.
NESTED = "function definition is not allowed here"
NO_KERNEL = "a __global__ function must have a void return type"
HIDDEN_KERNEL = "a macro gives this kernel's name another meaning"
#: CUDA's words mistyped, or written as in another language.
_WORDS = (
    "__global__ __device__ __host__ __shared__ __constant__ __restrict__ __syncthreads __syncthreads_count "
    "__syncthreads_and __syncthreads_or __syncwarp __threadfence __threadfence_block __shfl_sync __shfl_up_sync "
    "__shfl_down_sync __shfl_xor_sync __ballot_sync __any_sync __all_sync __activemask threadIdx blockIdx blockDim "
    "gridDim warpSize atomicAdd atomicSub atomicMax atomicMin atomicExch atomicCAS atomicAnd atomicOr atomicXor "
    "printf nullptr unsigned double return continue"
).split()
_STREAMS = ("cout", "cerr", "clog", "endl", "cin")
_CONTAINERS = ("vector", "string", "map", "set", "list", "unordered_map", "deque")

#: By memory space: its name in messages, and what sets its limit.
_MEMORY = {
    "shared": ("__shared__", "a kernel can declare"),
    "constant": ("__constant__", "a kernel can have"),
    "device": ("__device__", "the emulator can watch"),
}
ENDLESS = "the compiler does not come to an end"
LARGE_TEXT = "the code becomes more instructions than the emulator takes: let a loop or a function do what repeats"
DEEP_TEXT = "types or expressions are nested more deeply than the emulator follows"
LARGE_PROGRAM = "the arrays outside of functions, or in shared memory, make the program too large"
DEVICE_VARIABLE_HERE = "a __device__ variable is not allowed here"
MISFIT_OPERAND = (
    "an operand's type must fit its constraint: r is an integer of 32 bits, h of 16, l of 64 or a pointer, f is a "
    "float, d a double"
)
EMPTY_CLUSTER = "each number of __cluster_dims__ must be at least 1"
CONSTANT_IN_FUNCTION = "a __constant__ variable is not allowed in a function: put it outside, before the kernel"

UNDECLARED = "declare it above this line, and not only within other {...}"
_COMPARED = (
    "the library compares elements with <, which their type does not have: define operator<, or give a comparison"
)
HOST_LAMBDA = (
    "a lambda that the host gives to a kernel must be marked as code for the GPU: [=] __device__ (...) {...}; nvcc "
    "needs --extended-lambda for it"
)


def too_much_memory(space: str, taken: int, limit: int) -> str:
    """The arrays in `space` ("shared", "constant", "device") take more than `limit` bytes."""
    word, whose = _MEMORY[space]
    return f"the {word} arrays take {taken} bytes, and {whose} at most {limit}"


def too_much_in_block(taken: int, limit: int) -> str:
    """On a GPU, the arrays in shared memory take more than `limit` bytes."""
    return f"the __shared__ arrays take {taken} bytes, and a block can have at most {limit} bytes of them"


def too_large_array(name: str, taken: int, limit: int) -> str:
    """A thread's own array takes more than `limit` bytes."""
    return f"the array {name} takes {taken} bytes, and a thread can have at most {limit} of its own"


def one_memory(names: Sequence[str]) -> str:
    """A kernel uses several dynamic shared arrays, of these names."""
    *others, last = names
    return (
        f"{', '.join(others)} and {last} begin at the same byte: all extern __shared__ arrays of a kernel are the same "
        "memory. For several arrays, declare one, and let pointers into it begin where the elements before them end"
    )


def two_sides(name: str, line: int) -> str:
    """The function `name`, defined in `line`, is defined once more for the other side."""
    return (
        f"redefinition of '{name}', which line {line} defines: a function of the host and of the GPU is written once "
        "and marked __host__ __device__"
    )


def host_call(name: str, mark: str, caller: str) -> str:
    """The function `caller` ("": not known), which is marked `mark`, calls a function of the host."""
    where = f'a {mark} function("{caller}")' if caller else f"a {mark} function" if mark else "device code"
    return f'calling a __host__ function("{name}") from {where} is not allowed'


def in_words(text: str, code: str, column: int, notes: Sequence[Diagnostic], *, in_program: bool = False) -> str:
    """The message `text` about column `column` of the line `code`, without the compiler's terms if we know better.

    Args:
        notes: the message's notes; their line is 0 where it is in none of the user's files.
        in_program: the text is a whole program, which may include headers of the C++ library.
    """
    for inner, outer in _SPELLINGS:
        text = text.replace(inner, outer)
    if used := _of_other_side(text, notes):
        return used
    text = _without_guess(text, code[column - 1 :])
    for pattern, say in (*SLIPS, *(_PROGRAM_RULES if in_program else _KERNEL_RULES), *_RULES):
        if (found := re.search(pattern, text)) and (said := say(found, code[: column - 1], code[column - 1 :], notes)):
            return said
    return text + _parameter(notes)


def _without_guess(text: str, after: str) -> str:
    """The message without the compiler's guess at a function of the C++ library for a name that is not called."""
    guess = re.search(r"'(\w+)'(; did you mean 'std::\1'\?)$", text)
    if guess is None or guess[1] in _STREAMS or re.match(rf"{guess[1]}\s*(?:[(<{{]|::)", after):
        return text
    return text.removesuffix(guess[2])


def _parameter(notes: Sequence[Diagnostic]) -> str:
    """Which parameter an argument is for, if a message's notes say so."""
    found = (re.match(r"passing argument to parameter ('\w+') here", note.text) for note in notes if note.line)
    return next((f", for the parameter {parameter[1]}" for parameter in found if parameter), "")


def instance_in(notes: Sequence[Diagnostic], line: int) -> str:
    """Which instance of a template a message about line `line` is for, by its notes, and what uses it; empty if it is
    for none."""
    for note in notes:
        if note.line and (instance := re.match(r"in instantiation of .* '(.*)' requested here", note.text)):
            if instance[1].startswith("std::"):
                return f" (in {instance[1].partition('<')[0]})"
            if note.line != line:
                return f" (in {instance[1]}, which line {note.line} uses)"
    return ""


#: In a kernel's text, which may include no header of the host's.
_KERNEL_RULES: tuple[tuple[str, Say], ...] = (
    (
        rf"^(?:use of undeclared identifier|no member named) '({'|'.join(_STREAMS)})'",
        lambda m, *_: f"a kernel has no {m[1]}: it prints by printf",
    ),
    (
        r"^(?:use of undeclared identifier '(?=vector|string)|no \w+ named '(?=\w+' in namespace 'std'))"
        rf"({'|'.join(_CONTAINERS)})'",
        lambda m, *_: f"a kernel has no {m[1]} of the standard library: it works on arrays",
    ),
)
#: In a whole program.
_PROGRAM_RULES: tuple[tuple[str, Say], ...] = (
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
_RULES: tuple[tuple[str, Say], ...] = (
    (
        r"^no member named '(\w+)' in '__cuda_builtin_(\w+)_t'",
        lambda m, *_: f"{m[2]} has no part {m[1]}, only {m[2]}.x, {m[2]}.y and {m[2]}.z",
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
        rf"^{_CONSTANT_SIZE}$",
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
    (r"^kernel function type '.*' must have void return type$", lambda *_: NO_KERNEL),
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
        lambda m, before, after, _: f"{_CONSTANT_SIZE}{f'; {_DYNAMIC}' if '__shared__' in before + after else ''}",
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
            "a launch is written <<<blocks, threads>>>, with no blank inside <<< or >>>"
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
        lambda m, before, after, _: CONSTANT_IN_FUNCTION if "__constant__" in before + after else DEVICE_VARIABLE_HERE,
    ),
    (
        r"^a type specifier is required for all declarations",
        lambda m, before, *_: NO_KERNEL if "__global__" in before else None,
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


#: A candidate of the host, in a note; its name is in the message, if that names a function and not its arguments.
_HOST_CANDIDATE = re.compile(r"^candidate .* not viable: call to __host__ function from (__\w+__) function$")
_CALLED = re.compile(
    r"^no (?:matching|viable) (?:(?:member )?function for call to|constructor for initialization of|overloaded "
    r"operator\[\] for type) '([^']*)'|^no viable conversion from '.*' to '([^']*)'"
)
_DEVICE_REFERENCE = re.compile(r"^reference to __device__ function '((?!emu_)[^']*)' in __host__ function")
_HOST_REFERENCE = re.compile(
    r"^reference to __host__ (function|variable) '([^']*)' in (?:(__\w+__) function|device code)"
)


def _of_other_side(text: str, notes: Sequence[Diagnostic]) -> str:
    """What to say where code on the GPU uses a function or variable of the host, or the host calls a function of the
    GPU; empty if the message is another."""
    device = [note for note in notes if note.text.endswith("call to __device__ function from __host__ function")]
    if (called := _DEVICE_REFERENCE.match(text)) or (device and (called := _CALLED.match(text))):
        declared = next((n.line for n in notes if n in device or n.text.endswith("declared here")), 0)
        is_barrier = called[1] == "__syncthreads"
        return (
            f'calling a __device__ function("{called[1]}") from a __host__ function is not allowed: '
            + (f"mark the function in line {declared} as __host__ as well, or " if declared else "")
            + ("wait for kernels by cudaDeviceSynchronize()" if is_barrier else "let a kernel call it")
        )
    if used := _HOST_REFERENCE.match(text):
        declared = next((note.line for note in notes if note.text.endswith("declared here")), 0)
        if used[1] == "function":
            return host_call(used[2], used[3] or "", "") + _instead(used[2], declared)
        return f'identifier "{used[2]}" is undefined in device code' + (
            f": it is the host's, from line {declared}; pass it to the kernel as an argument"
            if declared
            else _instead(used[2], 0)
        )
    found = [(candidate, note.line) for note in notes if (candidate := _HOST_CANDIDATE.match(note.text))]
    if not found:
        return ""
    (candidate, declared), *_ = found
    called = _CALLED.match(text)
    name = called[1] or called[2] if called else "operator"
    return host_call(name, candidate[1], "") + _instead(name, declared)


def _instead(name: str, declared: int) -> str:
    """What to do about code on the GPU that uses the host's `name`, from line `declared` (0: a library's)."""
    if declared:
        return f": mark the function in line {declared} as __device__ as well"
    if name in _STREAMS:
        return ": a kernel prints by printf"
    if name.startswith("std::"):
        return f": a kernel has no {name.partition('<')[0]}, it works on arrays"
    return ": the GPU does not have the host's library"


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
            return f"{text}: give the arguments one type, for they are {m[1]} and {m[2]}"
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
