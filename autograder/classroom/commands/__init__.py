"""The commands of a class, from the list of students to the grades, and those for the whole course.

Imports every room.
"""
