"""`autograder new`: the files of a new exercise, chapter, check, detector or LMS, with what is to be filled in."""
