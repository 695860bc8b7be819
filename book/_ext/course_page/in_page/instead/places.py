"""What reports call the places of an exercise in a page, which has neither cells nor calls of checks."""

from autograder.exercises.report.claims import claim


def cell(magic: str) -> str:
    """Return what a report calls the answer, or that with the values."""
    return "your answer" if magic == "cuda" else "your values"


def call(name: str, check: str) -> str:
    """Return what a report calls a check: the name that its own report has."""
    return f'"{claim(check)}"'
