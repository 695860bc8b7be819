"""The checks of whole programs: `program_checker.py` finds them here, in whichever file."""
