"""The checks: each file reads a frozen `Run` and returns the findings of one kind of mistake.

No check knows another check, a backend, or the wording of a report, so each file can be deleted alone.
What a run itself has found needs no file here: `exercise/checker.py` takes it by the table of kinds.
Imports `core` and the rooms below it.
"""
