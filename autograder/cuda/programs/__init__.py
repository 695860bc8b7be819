"""Runs whole CUDA programs: the host's half natively, as the user's own program, each kernel on the emulator.

`build` makes the program, `process` runs it and answers its calls of CUDA's runtime, which `gpu`, `memory`, `launches`
and `control` implement. Imports `backends` and the rooms below it.
"""
