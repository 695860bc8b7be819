"""What an exercise declares, what comes of its answers, and how they are checked.

Imports `performance` and the rooms below it; no backend: a session hands those in.
"""
