"""LTI 1.3: the list of students from an LMS, and scores back to it, without tables.

Of the standard, this room uses the two services that a program may request alone: Names and Role Provisioning 2.0 and
Assignment and Grade Services 2.0. Nothing is launched, so no web server runs here.
Imports `students`, `results` and the rooms below them.
"""
