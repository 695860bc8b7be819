"""nbgrader around the course: release, graft, grade, feedback, class report."""
