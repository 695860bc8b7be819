"""Exercises: their declarations, the launches of answers, and the checks.

Imports `performance` and the rooms below it, but no backend: a session passes those in.
"""
