"""Does the table of cache lines have the sectors and lines that the emulator sees?"""

import numpy as np
import pytest
from course_book import measured, traced

FOLDERS = {"column_sums": "coalescing", "row_sums": "coalescing", "distances_direct": "tiling"}
ROWS = measured.load("lines_nvidia_h200.csv")


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['kernel']}-{row['row']}" for row in ROWS])
def test_a_load_touches_as_many_pieces_as_the_emulator_sees(row: measured.Row) -> None:
    accesses = traced.trace(f"{FOLDERS.get(row['kernel'], 'access')}/{row['kernel']}.cu").accesses
    loads = accesses[accesses["action"] == traced.READ]
    request = loads[["block", "warp", "interval", "turn", "array", "line"]]
    for column, size in (("sectors", 32), ("lines", 128)):
        touched = np.array([*(request[name] for name in request.dtype.names), loads["address"] // size])
        assert np.unique(touched, axis=1).shape[1] / len(np.unique(request)) == float(row[column])
