"""The data that flows between stages: launches, runs, findings.

Imports `errors`.
"""
