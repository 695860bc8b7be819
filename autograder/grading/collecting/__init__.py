"""What an LMS gave, sorted by student and exercise."""
