"""A class graded with nbgrader: collected, rebuilt, run, recorded, reported.

Imports every room but `commands`.
"""
