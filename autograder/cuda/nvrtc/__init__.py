"""NVIDIA's own compiler, which needs no GPU: its messages, its machine code, and a kernel's use of each GPU.

Imports `compiler` and the rooms below it.
"""
