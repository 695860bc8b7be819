"""Mistakes of the host half in memory and pointers, in words."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.host_findings import HostFinding, HostKind
from . import libraries
from .about import AboutHost
from .vocabulary import count


def memory_of(finding: HostFinding) -> str:
    return str(finding.facts.get("name") or "memory on the GPU")


def _copy_out_of_bounds(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    if facts["why"] == "unknown":
        return (
            f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes where nothing is allocated on the GPU.",
            "A pointer to the GPU's memory comes from cudaMalloc, and must be within what was allocated.",
        )
    if facts["why"] == "host":
        return (
            f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes of the host's memory, where only "
            f"{facts['room']:,} are allocated.",
            "Sizes are in bytes: the number of elements times sizeof of one. The arrays on both sides of a copy must "
            "have them all, on the host as on the GPU.",
        )
    where = f", from byte {facts['offset']:,} on" if facts["offset"] else ""
    return (
        f"{facts['function']} {facts['verb']} {facts['bytes']:,} bytes of {memory_of(finding)}{where}, which has "
        f"{facts['size']:,} bytes.",
        "Sizes are in bytes: the number of elements times sizeof of one. Compare it with the size that was allocated.",
    )


def _wrong_direction(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    name, function = facts["name"], facts["function"]
    if facts["why"] == "device":
        return (
            f"{function} gets GPU {facts['given']} for {name or 'memory'}, which is memory of GPU {facts['owner']}.",
            "Each pointer is followed by the number of the GPU where it was allocated: the one that was current then.",
        )
    given = f"{function} with {facts['direction']}" if facts["direction"] else str(function)
    if variable := facts.get("variable"):
        return (
            f"{given} gets {variable}, which is not an address in the GPU's memory when the host uses it.",
            f"{variable} is a variable on the GPU: cudaMemcpyToSymbol copies to it, and cudaMemcpyFromSymbol from it.",
        )
    if facts["why"] == "host":
        what = f"{given} goes {facts['side']} the GPU's memory, but the pointer is the host's"
    else:
        what = f"{given} goes {facts['side']} the host's memory, but {name or 'the pointer'} is on the GPU"
    return f"{what}.", "The destination comes first, then the source; the direction says where each of them is."


def _use_after_free(finding: HostFinding) -> tuple[str, str]:
    facts, name = finding.facts, memory_of(finding)
    by = {
        "kernel": f"The kernel {facts['function']} uses {name}",
        "call": f"{facts['function']} uses {name}",
        "host": f"The host uses {name}",
    }[str(facts["why"])]
    if facts["state"] == "unlaunched":
        return f"{by}, which no launch of its graph has allocated.", (
            "Memory of a graph has its address from its node on, and is there once the graph has been launched."
        )
    return f"{by}, which has been freed.", "Free memory only once nothing will use it any more."


def _invalid_free(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    name, function = facts["name"] or "the pointer", facts["function"]
    why = {
        "twice": f"{function} frees {name}, which has been freed already.",
        "inside": f"{function} gets a pointer into {name}, and not the one that was allocated.",
        "unknown": f"{function} gets a pointer that no allocation returned.",
        "pinned": f"{function} frees {name}, which is memory of the host.",
        "device": f"{function} frees {name}, which is memory of the GPU.",
        "managed": f"{function} frees {name}, which is managed memory.",
        "variable": f"{function} frees {name}, which is a variable.",
        "unlaunched": f"{function} frees {name}, which no launch of its graph has allocated.",
        "node": f"{function} frees {name}, which another node of the graph frees already.",
        "elsewhere": f"{function} frees {name}, which would be freed both by its own graph and by another.",
    }[str(facts["why"])]
    return why, (
        "Free each pointer once, with the function that matches its allocation: cudaFree for "
        "cudaMalloc and cudaMallocManaged, cudaFreeHost for cudaMallocHost and cudaHostAlloc."
    )


def _leak(finding: HostFinding) -> tuple[str, str]:
    total, reset = int(finding.facts["bytes"]), finding.facts["why"] == "reset"
    when = "cudaDeviceReset takes the GPU's memory away" if reset else "The program ends"
    return (
        f"{when}, and nothing has freed {memory_of(finding)} ({total:,} bytes).",
        "Free what you allocate, even where the program ends early.",
    )


def _out_of_memory(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    return (
        f"{facts['function']} asks for {facts['bytes']:,} bytes, and the emulated GPU has {facts['most']:,} in total, "
        "because of the size of this machine's memory. A real GPU has more.",
        "Run the program with less data. Without --all, the emulated GPU has more.",
    )


def _host_pointer(finding: HostFinding) -> tuple[str, str]:
    if finding.facts.get("why") == "library":
        return libraries.describe_host_pointer(finding)
    if not finding.facts["name"]:
        return (
            f"The kernel {finding.facts['function']} follows a pointer to the host's memory that it has read from "
            "memory, such as a member of a struct.",
            "A copy of a struct, or of an array of pointers, has the host's addresses: allocate what they point to on "
            "the GPU as well, and copy the pointers that cudaMalloc returns.",
        )
    return (
        f"The kernel {finding.facts['function']} gets a pointer to the host's memory for {finding.facts['name']}, and "
        "uses it.",
        "A kernel can only use memory that cudaMalloc, cudaMallocManaged or cudaMallocHost has returned: copy the data "
        "there.",
    )


def _device_pointer(finding: HostFinding) -> tuple[str, str]:
    return (
        f"The host {finding.facts['verb']} {memory_of(finding)}, which is on the GPU, and the program crashes.",
        "The host cannot follow a pointer to the GPU's memory: copy the data to the host first.",
    )


def _peer_pointer(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    who = f"The kernel {facts['function']}" if facts["why"] == "kernel" else str(facts["function"])
    name = facts["name"] or "memory"
    allowed = (
        f"cudaDeviceEnablePeerAccess({facts['owner']}, 0), while GPU {facts['current']} is current, allows that, if "
        "cudaDeviceCanAccessPeer says that it is possible"
    )
    if facts["allows"] == "cudaMemPoolSetAccess":
        allowed = f"For memory of cudaMallocAsync, cudaMemPoolSetAccess on the pool of GPU {facts['owner']} allows that"
    return (
        f"{who} runs on GPU {facts['current']} and uses {name}, which is memory of GPU {facts['owner']}, without "
        "access to it.",
        f"{allowed}. Otherwise, copy the data: cudaMemcpyPeer.",
    )


def _partly_copied(finding: HostFinding) -> tuple[str, str]:
    facts = finding.facts
    more = f" and {count(int(facts['more']), 'more element')}" if facts["more"] else ""
    return (
        f"The kernel {facts['kernel']} reads zero in {facts['element']}{more}, since {facts['function']} has copied "
        f"only the first {facts['bytes']:,} of the {facts['size']:,} bytes of {facts['name']}.",
        "The size is in bytes: the number of elements times sizeof of one. CUDA sets to zero what nothing has written "
        "of a variable on the GPU, so if you want zeros there, all is well.",
    )


HOST: Mapping[HostKind, AboutHost] = {
    HostKind.COPY_OUT_OF_BOUNDS: AboutHost("a copy out of bounds", _copy_out_of_bounds),
    HostKind.WRONG_DIRECTION: AboutHost("a copy in the wrong direction", _wrong_direction, "copies"),
    HostKind.USE_AFTER_FREE: AboutHost("a use of freed memory", _use_after_free, "uses"),
    HostKind.INVALID_FREE: AboutHost("an invalid free", _invalid_free, "frees"),
    HostKind.LEAK: AboutHost("memory that nothing frees", _leak, "allocates"),
    HostKind.OUT_OF_MEMORY: AboutHost("more memory than the emulated GPU has", _out_of_memory, "allocates"),
    HostKind.HOST_POINTER: AboutHost("a pointer to the host's memory in a kernel", _host_pointer, "launches"),
    HostKind.DEVICE_POINTER: AboutHost("a pointer to the GPU's memory on the host", _device_pointer),
    HostKind.PEER_POINTER: AboutHost("a pointer to another GPU's memory in a kernel", _peer_pointer, "launches"),
    HostKind.PARTLY_COPIED: AboutHost("a variable on the GPU that is copied in part", _partly_copied, "copies"),
}
