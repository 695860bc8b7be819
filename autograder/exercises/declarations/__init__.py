"""What a notebook declares: the cases of an exercise, their sizes and their data.

Imports `cuda` alone.
"""
