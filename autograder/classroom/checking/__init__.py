"""Grade one notebook with a bundle: no student, no gradebook, no course folder.

Imports `execution`, `results` and the rooms below them.
"""
