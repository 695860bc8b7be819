"""Exercises: declared in a notebook, answered by students, and checked.

Imports `cuda`, and nothing of `classroom`.
"""
