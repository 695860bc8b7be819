"""Reads a kernel's text without a compiler.

Imports `errors`.
"""
