"""Makes a program of CUDA files: both halves of each file are compiled, and linked with the runtime of programs."""
