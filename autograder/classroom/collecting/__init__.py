"""Sort an LMS's downloads by student and exercise.

Imports `classroom`, `submission` and the rooms below them.
"""
