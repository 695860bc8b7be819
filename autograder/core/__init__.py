"""The data that flows between the stages: launches, runs, findings.

Imports `source` and `errors`.
"""
