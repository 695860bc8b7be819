"""Exercises that a reader answers and checks in the page itself: what the build makes for them."""
