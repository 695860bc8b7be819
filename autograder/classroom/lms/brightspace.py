"""Brightspace: folders such as `81-12 - Ada Lovelace - Jan 30, 2026 311 PM`, as downloaded. Its help shows no names."""

from __future__ import annotations

import datetime
import re

from . import Lms


def _date(text: str) -> datetime.datetime:
    # Python takes "311" for 31 o'clock and "1500 PM" for none: the hour is all but the last two digits.
    text = re.sub(r" (\d{1,2})(\d\d) ([AP]M)$", _twelve_hours, text)
    return datetime.datetime.strptime(text, "%b %d, %Y %I%M %p")


def _twelve_hours(time: re.Match[str]) -> str:
    hour = int(time[1])
    return f" {(hour - 1) % 12 + 1:02}{time[2]} {time[3]}"


LMS = Lms(
    "Brightspace",
    submissions=(
        re.compile(r"(?P<participant>\d+)-\d+ - (?P<label>.+) - (?P<date>[A-Z][a-z]{2} \d\d?, \d{4} \d{3,4} [AP]M)"),
    ),
    date=_date,
)
