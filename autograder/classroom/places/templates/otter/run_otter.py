"""Writes results.pkl and results.json in the folder that is named, of the results in its ottr.json."""

import json
import sys
from pathlib import Path

import dill
from otter.run import AutograderConfig
from otter.test_files import GradingResults

folder = Path(sys.argv[1])
results = GradingResults.from_ottr_json((folder / "ottr.json").read_text(encoding="utf-8"))
(folder / "results.pkl").write_bytes(dill.dumps(results))
shown = results.to_gradescope_dict(AutograderConfig({"show_hidden": True}))
for test in shown["tests"]:
    test["visibility"] = "visible"  # what a test reports says nothing of a hidden case
(folder / "results.json").write_text(json.dumps(shown, indent=1), encoding="utf-8")
