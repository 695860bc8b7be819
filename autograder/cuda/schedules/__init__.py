"""Runs a launch again in other orders of its threads until a race affects a result.

Imports `backends` and the rooms below it.
"""
