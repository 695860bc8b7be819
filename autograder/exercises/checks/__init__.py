"""The checks: what each asserts about an answer, and how it finds violations.

README.md says where each thing is, and how a check is added.
Imports `answers` and the rooms below it.
"""
