"""Implements the `autograder` commands other than grading.

Imports every room below it.
"""
