"""How long a launch takes, and how long it would take at best.

Imports `kernel` and the rooms below it.
"""
