"""How long a launch takes, how long it would take at best, and the files in which measurements are kept.

Imports `kernel` and the rooms below it.
"""
