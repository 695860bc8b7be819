"""The results of grading: gradebook, class report, feedback."""
