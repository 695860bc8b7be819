"""What came of a class's work: gradebook, class report, feedback."""
