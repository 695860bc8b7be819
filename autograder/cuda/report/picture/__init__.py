"""The picture of what warps do over time, still and playable: the same in the book, in a notebook's report and on a
feedback page."""

from .data import from_data, to_data
from .drawing import draw
from .embedded import FOLDER, PLAYER, STYLE, embedded, with_player
from .from_trace import from_run
from .of_barrier import picture_of_barrier
from .of_race import picture_of_race
from .timeline import Timeline
