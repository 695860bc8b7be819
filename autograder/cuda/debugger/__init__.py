"""A recorded launch, forward and back: where each thread is, and what its variables and arrays hold.

Front ends, for a terminal and for editors, are in `commands`: what they do is here, once.
Imports `core` and the rooms below it.
"""
