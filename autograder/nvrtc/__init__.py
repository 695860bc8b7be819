"""NVIDIA's own compiler, which needs no GPU: its messages and machine code, and what a kernel takes from each GPU.

Imports `compiler` and the rooms below it.
"""
