"""What the `autograder` command does apart from grading.

Imports every room below it.
"""
