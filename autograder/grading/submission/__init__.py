"""Read submissions, and rebuild the notebooks to grade from their answers."""
