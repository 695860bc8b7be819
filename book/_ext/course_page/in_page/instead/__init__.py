"""Modules of the package as a page has them, which has no processes: each has the names of the one whose place it takes
(`course_page/bundle.py` says which)."""
