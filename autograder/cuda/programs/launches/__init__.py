"""The kernels of a running program, and their launches on the emulator."""
