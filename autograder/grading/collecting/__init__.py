"""Sort an LMS's downloads by student and exercise."""
