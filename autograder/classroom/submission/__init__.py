"""Read submissions, and rebuild the notebooks to grade from their answers.

Imports `exercises` and the rooms below it.
"""
