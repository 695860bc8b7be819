"""Exercises in a notebook: the magics, the session, and our own notebooks run without Jupyter.

Imports `checks` and the rooms below it.
"""
