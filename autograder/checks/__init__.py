"""The judges: each file reads a frozen `Run` and returns the findings of one kind of mistake.

No judge knows another one, a backend, or a sentence; each file can be deleted alone. Imports `core` and the rooms
below it.
"""
