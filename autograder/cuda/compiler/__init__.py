"""Turns a kernel's text into a module for the emulator: runs clang, rewrites its LLVM IR, and reads the module.

Imports `report` and the rooms below it.
"""
