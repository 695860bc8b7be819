"""Where a launch can run: on the CPU emulator (`emulator`) or on a GPU (`gpu`).

Imports `nvrtc` and the rooms below it.
"""
