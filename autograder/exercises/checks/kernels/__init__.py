"""The checks of kernels: `checker.py` finds them here, in whichever file."""
