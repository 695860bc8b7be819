"""CUDA graphs of a running program, and stream capture."""
