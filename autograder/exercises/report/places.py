"""What reports call the places of an exercise: the cells of a notebook. A page of the book has other words for them."""

from __future__ import annotations


def cell(magic: str) -> str:
    """Return what a report calls the cell that begins with %%`magic`."""
    return f"its %%{magic} cell"


def call(name: str, check: str) -> str:
    """Return what a report calls a check, by its method, of exercise `name`."""
    return f'check("{name}").{check}()'
