"""Exercises: declared in a notebook, answered by students, and checked.

Imports `cuda`, and nothing of `classroom`. Adds the words of its findings to the table of kinds in `cuda`.
"""

from ..cuda.report.kinds import register

register(f"{__name__}.report")
