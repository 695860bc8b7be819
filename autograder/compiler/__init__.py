"""From the text of a kernel to a module of the emulator: clang, what is done to its LLVM IR, what a module tells.

Imports `report` and the rooms below it.
"""
