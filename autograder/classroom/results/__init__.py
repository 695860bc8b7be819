"""The results of grading: gradebook, class report, feedback.

Imports `collecting`, `execution` and the rooms below them.
"""
