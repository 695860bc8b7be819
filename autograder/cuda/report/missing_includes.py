"""What to include for a name that the compiler does not know."""

from __future__ import annotations

#: Headers of CUDA's, by the names that they declare.
_CUDA = {
    name: header
    for header, names in (
        ("cuda_fp16.h", "half half2 __half __half2 __float2half __half2float __hadd __hmul __hfma __float2half2_rn"),
        ("cuda_bf16.h", "__nv_bfloat16 __nv_bfloat162 nv_bfloat16 __float2bfloat16 __bfloat162float"),
        ("cooperative_groups.h", "cooperative_groups"),
        ("mma.h", "nvcuda wmma"),
    )
    for name in names.split()
}
#: Headers of the C++ library, by the names in `std` that they declare.
_STANDARD = {
    name: header
    for header, names in (
        ("vector", "vector"),
        ("string", "string to_string stoi stof getline"),
        ("iostream", "cout cerr clog cin endl"),
        ("algorithm", "sort fill generate transform copy max_element min_element find count swap reverse"),
        ("numeric", "iota accumulate inner_product partial_sum"),
        ("memory", "unique_ptr shared_ptr make_unique make_shared"),
        ("random", "mt19937 random_device uniform_int_distribution uniform_real_distribution normal_distribution"),
        ("functional", "function plus multiplies"),
        ("fstream", "ifstream ofstream"),
        ("sstream", "stringstream ostringstream istringstream"),
        ("iomanip", "setw setprecision fixed"),
        ("limits", "numeric_limits"),
        ("stdexcept", "runtime_error invalid_argument"),
        ("array", "array"),
        ("chrono", "chrono"),
        ("thread", "thread"),
        ("map", "map"),
        ("set", "set"),
        ("list", "list"),
        ("unordered_map", "unordered_map"),
        ("deque", "deque"),
        ("complex", "complex"),
    )
    for name in names.split()
}


def include_for_cuda(name: str) -> str | None:
    """Return a sentence on the header of CUDA's that declares `name`; None if none does."""
    return _include(name, _CUDA.get(name))


def include_for_std(name: str) -> str | None:
    """Return a sentence on the header of the C++ library that declares `std::name`; None if none does."""
    return _include(f"std::{name}", _STANDARD.get(name))


def _include(name: str, header: str | None) -> str | None:
    return f"{name} needs #include <{header}> at the top of the file" if header else None
