"""CUDA C++ without exercises: compiled, run on the emulator or on a GPU, observed, and judged.

Anybody who has a `.cu` file can use this room: `autograder run`, `cc` and `debug`, the plugin for pytest, and `Kernel`.
Findings are data; `report` has their words. Imports nothing of the other rooms.
"""
