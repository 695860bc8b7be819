"""The course's own Sphinx extension, `course_book.extension`: figures and reports from the emulator, and pages that
need no other host. Modules that only read a kernel or a table do not need Sphinx."""
