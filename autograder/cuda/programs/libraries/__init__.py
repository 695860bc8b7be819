"""NVIDIA's libraries for the host, on the emulated GPU's memory: one file for each, found by its name, with a table
`CALLS` from the name of a function to what computes it, and `EXECUTION_FAILED`, the status after an error that lasts.
`include/` has the headers. A function there is a line that names its parameters and sends them all (`emu_library.h`),
so a new library is one file here and its header."""
