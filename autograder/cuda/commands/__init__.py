"""The commands for CUDA files: `run`, `cc`, `debug` and `tune`, and the plugin for pytest.

Imports every room of `cuda`.
"""
