"""The half of a program that runs on the GPU, compiled as far as all of its kernels share."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DeviceCode:
    """A kernel of a compiled file.

    `ir` is the file's LLVM IR, and `typed` the same with the type of each copied struct (empty: no kernel copies any);
    `symbol` is the kernel's, such as "@_Z4blurPf".
    """

    ir: str
    typed: str
    symbol: str
