"""Runs a launch on the CPU emulator (`emulator`) or on a GPU (`gpu`).

Imports `nvrtc` and the rooms below it.
"""
