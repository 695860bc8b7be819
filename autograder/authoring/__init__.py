"""What authors of exercises do: prove them, and release them to students.

Imports `notebook` and the rooms below it, and of `grading` what finds a student's answers.
"""
