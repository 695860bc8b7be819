"""What a kernel's text says, read without a compiler.

Imports `errors`.
"""
