"""A launch run again in other orders of its threads, until a race shows in a result.

Imports `backends`, `checks` and the rooms below them.
"""
