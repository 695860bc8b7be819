"""The commands for CUDA files: `run`, `cc`, `debug`, `tune` and `mcp`, and the plugin for pytest.

Imports every room of `cuda`.
"""
