"""Findings of launches and programs in words.

Every function turns data into a `Report` (or one line); `layout` and `html` only lay it out. A
report names threads, lines, arrays and indices, states the rule in its hint, and never gives away
the fix. `kinds` finds the words for each kind of finding. Imports `core` and the rooms below it.
"""

from .html import to_html
from .kinds import describe
from .layout import MIME, WIDTH, Report, from_data, to_data, to_text
