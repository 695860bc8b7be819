"""Measures how long a launch takes, estimates its best time, and keeps measurements in files.

Imports `kernel` and the rooms below it.
"""
