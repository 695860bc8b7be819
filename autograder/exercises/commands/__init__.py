"""The command `check`, for answers that are written in an editor in place of a notebook, and the server `mcp`.

Imports `notebook` and the rooms below it.
"""
