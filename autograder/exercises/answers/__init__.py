"""The launches of an answer: each case once, whichever checks look at it.

Imports `declarations` and the rooms below it, but no backend: a session passes those in.
"""
