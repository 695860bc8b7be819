"""The checks: what each asserts about an answer, and how it finds violations.

What a run itself has found needs no file here: `checker.py` takes it by the table of kinds.
Imports `answers` and the rooms below it.
"""
