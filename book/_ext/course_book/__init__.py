"""The course's own Sphinx extension, `course_book.extension`: figures and reports from the emulator, and pages that
need no other host. The modules that only read a kernel or a table need no Sphinx."""
