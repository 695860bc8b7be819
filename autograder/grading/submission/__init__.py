"""What a student handed in, and what of it counts."""
