"""A package that is installed beside this one, and registers extensions."""

from __future__ import annotations

from pathlib import Path


def install(site: Path, name: str, points: str, source: str) -> None:
    """Write a distribution `name` into the folder `site`: its entry points, and one module, whose text is `source`."""
    info = site / f"{name}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(points)
    (site / f"{name}.py").write_text(source)
