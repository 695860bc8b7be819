"""Launch kernels from machine code, one after the other, in a process that does nothing else.

    python book/data/launch_cubin.py LAUNCH ...

measure_sanitizer.py runs it under each tool of compute-sanitizer, so it starts fast and imports little. Each
LAUNCH is a JSON file: `cubin` (a path), `entry`, `grid` and `block` (three ints each), `shared_mem` (bytes),
`cooperative`, and `args`, each {"array": true or false, "size": bytes, "hex": its bytes}. An array without
`hex` is left uninitialized in the GPU's memory. An argument with a `map` is a tensor map of these bytes: `type` (as
numpy spells it), `extents`, `strides` (bytes, of all axes but the first), `box` and `swizzle`; axes are in PTX's
order. With `runs`, the kernel is launched that often, each time with its arguments as they were at first, and what its
arrays hold afterwards is written to the files PATH.0, PATH.1, ...

It prints `##### begin PATH TIME` and `##### end SECONDS` around each launch, from the loading of the code to
the end of the kernel. If CUDA rejects something, it prints `##### failed WORD SECONDS` and exits with 1, because
CUDA's state is no longer usable.
"""

import ctypes
import json
import sys
import time
from typing import Any

CUDA = ctypes.CDLL("libcuda.so.1")
_MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
#: The elements and swizzles of tensor maps as CUDA's driver numbers them.
_TYPES = ("uint8", "uint16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64")
_SWIZZLES = (0, 32, 64, 128)
_FREE_SHARED = 48 * 1024  # a launch with more must ask for it


class Failed(Exception):
    """CUDA rejected something; the message is its name for the error."""


def call(function: str, *args: Any) -> None:
    status = getattr(CUDA, function)(*args)
    if status:
        word = ctypes.c_char_p()
        CUDA.cuGetErrorName(status, ctypes.byref(word))
        raise Failed((word.value or b"").decode())


def start() -> None:
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuInit", 0)
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxSetCurrent", context)


def tensor_map(address: ctypes.c_uint64, about: dict[str, Any]) -> Any:
    """A CUtensorMap of memory on the GPU, at an address that is a multiple of 64."""
    room = ctypes.create_string_buffer(192)
    made = (ctypes.c_char * 128).from_buffer(room, -ctypes.addressof(room) % 64)
    rank = len(about["extents"])
    extents = (ctypes.c_uint64 * rank)(*about["extents"])
    strides = (ctypes.c_uint64 * max(1, rank - 1))(*about["strides"])
    box, steps = (ctypes.c_uint32 * rank)(*about["box"]), (ctypes.c_uint32 * rank)(*[1] * rank)
    how = (0, _SWIZZLES.index(about["swizzle"]), 0, 0)  # no interleaving, no promotion in L2, zeros beyond the edge
    call("cuTensorMapEncodeTiled", made, _TYPES.index(about["type"]), rank, address, extents, strides, box, steps, *how)
    return made


def run(path: str, launch: dict[str, Any]) -> None:
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    call("cuModuleLoad", ctypes.byref(module), launch["cubin"].encode())
    call("cuModuleGetFunction", ctypes.byref(function), module, launch["entry"].encode())
    if launch["shared_mem"] > _FREE_SHARED:
        call("cuFuncSetAttribute", function, _MAX_DYNAMIC_SHARED, launch["shared_mem"])
    if "runs" not in launch:
        once(function, launch)
    for number in range(launch.get("runs", 0)):
        held = once(function, launch)
        with open(f"{path}.{number}", "wb") as file:
            file.write(held)
    call("cuModuleUnload", module)


def once(function: ctypes.c_void_p, launch: dict[str, Any]) -> bytes:
    """Launch it, and return what its arrays hold then."""
    values: list[Any] = []
    arrays: list[tuple[ctypes.c_uint64, int]] = []
    for arg in launch["args"]:
        data = bytes.fromhex(arg.get("hex", ""))
        if arg["array"] or "map" in arg:
            address = ctypes.c_uint64()
            call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(arg["size"]))
            if data:
                call("cuMemcpyHtoD_v2", address, data, ctypes.c_size_t(len(data)))
            arrays.append((address, arg["size"]))
            values.append(tensor_map(address, arg["map"]) if "map" in arg else address)
        else:
            values.append(ctypes.create_string_buffer(data, len(data)))
    pointers = (ctypes.c_void_p * max(1, len(values)))(*(ctypes.addressof(value) for value in values))
    shape = (*launch["grid"], *launch["block"], launch["shared_mem"], None, pointers)
    if launch["cooperative"]:
        call("cuLaunchCooperativeKernel", function, *shape)
    else:
        call("cuLaunchKernel", function, *shape, None)
    call("cuCtxSynchronize")
    after = b""
    for address, size in arrays:
        if "runs" in launch:
            copy = ctypes.create_string_buffer(size)
            call("cuMemcpyDtoH_v2", copy, address, ctypes.c_size_t(size))
            after += copy.raw
        call("cuMemFree_v2", address)
    return after


def main() -> None:
    start()
    for path in sys.argv[1:]:
        with open(path) as file:
            launch = json.load(file)
        print(f"\n##### begin {path} {time.time()}", flush=True)
        begin = time.perf_counter()
        try:
            run(path, launch)
        except Failed as error:
            print(f"\n##### failed {error} {time.perf_counter() - begin}", flush=True)
            sys.exit(1)
        print(f"\n##### end {time.perf_counter() - begin}", flush=True)


if __name__ == "__main__":
    main()
