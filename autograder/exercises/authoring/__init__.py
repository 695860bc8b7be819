"""For authors of exercises: prove them, and release them to students.

Imports `notebook` and the rooms below it.
"""
