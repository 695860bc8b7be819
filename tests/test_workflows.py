"""Do the workflows call only what exists, and ask for no more permissions than they need?"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.classroom.commands import doctor

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
#: Jobs that need more than to read the repository.
PUBLISH = {
    ("book", "publish"): {"pages": "write", "id-token": "write"},
    ("release", "upload"): {"contents": "read", "id-token": "write"},
}
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

#: What a container's image needs before anything of ours can run in it.
_BARE = ("${{ matrix.install }} ${{ matrix.python }}", "chown -R 0:0 .")
#: The one list of versions of Python, which the Makefile reads, too.
PYTHONS = re.findall(r"Programming Language :: Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text())

each_workflow = pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)


def jobs(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text())["jobs"]
    return found


def test_there_is_one_for_each_purpose() -> None:
    assert [path.stem for path in WORKFLOWS] == ["bare", "book", "gpu", "nightly", "release", "test", "weekly"]


@each_workflow
def test_each_step_is_a_make_target_or_an_action_of_one_commit(path: Path) -> None:
    for name, job in jobs(path).items():
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            if "run" in step and "laptop" in name:  # Windows has no make
                assert step["run"] in ("python -m pip install . ipython nbformat", "python tests/anywhere.py")
            elif "run" in step and path.stem == "bare" and "make" not in step["run"]:  # the image has no make at first
                assert step["run"] in (*_BARE, "tests/bare/prove.sh"), step
            elif "run" in step:
                make, target = step["run"].split()
                assert make == "make" and target in TARGETS, step
            else:
                assert re.fullmatch(r"actions/[a-z-]+@[0-9a-f]{40}", step["uses"]), step
    for line in re.findall(r"uses: (.+)", path.read_text()):
        assert re.fullmatch(r"\S+  # v\d+\.\d+\.\d+", line), "which version a commit is, for people and dependabot"


@each_workflow
def test_nothing_may_be_written_but_the_pages_and_releases_and_nothing_runs_without_end(path: Path) -> None:
    assert yaml.safe_load(path.read_text())["permissions"] == {"contents": "read"}
    for name, job in jobs(path).items():
        assert job.get("permissions") == PUBLISH.get((path.stem, name))
        assert job["timeout-minutes"] <= 60


def test_every_python_that_the_classifiers_name_is_tested() -> None:
    tested = jobs(ROOT / ".github" / "workflows" / "test.yml")["test"]["strategy"]["matrix"]["python"]
    assert tested == PYTHONS


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("pyproject.toml", 'requires-python = ">={oldest}"'),
        ("pyproject.toml", 'target-version = "py{oldest_digits}"'),
        ("README.md", "Python {oldest} or later (tested: {oldest} to {newest})"),
        ("README.md", "| Linux x86-64, Python {oldest} or later |"),
        ("README.md", "Linux on ARM, Python {oldest} or later |"),
        ("book/appendix-setting-up.md", "with Python {oldest} or later."),
        ("docs/decisions.md", "| Python | {oldest} to {newest} "),
        ("autograder/exercises/authoring/publish.py", "(Linux, Python {oldest} or later)"),
        ("autograder/exercises/authoring/templates/setup_cell.py", "The course needs Python {oldest} or later"),
        ("autograder/exercises/authoring/templates/setup_cell.py", "sys.version_info < ({oldest_numbers})"),
    ],
)
def test_each_place_names_the_pythons_of_the_classifiers(path: str, sentence: str) -> None:
    oldest, newest = PYTHONS[0], PYTHONS[-1]
    numbers = {"oldest_digits": oldest.replace(".", ""), "oldest_numbers": oldest.replace(".", ", ")}
    assert sentence.format(oldest=oldest, newest=newest, **numbers) in (ROOT / path).read_text()


def test_the_doctor_knows_the_pythons_of_the_classifiers() -> None:
    assert [".".join(map(str, version)) for version in (doctor.OLDEST, doctor.NEWEST)] == [PYTHONS[0], PYTHONS[-1]]


def test_a_release_is_uploaded_only_after_an_approval() -> None:
    path = ROOT / ".github" / "workflows" / "release.yml"
    assert yaml.safe_load(path.read_text())[True] == {"push": {"tags": ["v*"]}}
    for name, job in jobs(path).items():
        uploads = any(step.get("run") == "make upload" for step in job["steps"])
        assert uploads == (name == "upload") == (job.get("environment") == "pypi"), name


def test_nobody_else_can_start_a_run_on_our_own_machine() -> None:
    for path in WORKFLOWS:
        # YAML reads the key `on` as the word for true.
        events = set(yaml.safe_load(path.read_text())[True])
        if any("self-hosted" in job["runs-on"] for job in jobs(path).values()):
            assert events == {"schedule", "workflow_dispatch"}
        assert "pull_request_target" not in events


def test_the_branch_is_named_in_the_configuration_alone() -> None:
    branch = yaml.safe_load((ROOT / "_config.yml").read_text())["repository"]["branch"]
    for path in WORKFLOWS:
        assert not re.search(rf"\b{branch}\b", path.read_text()), path


def test_each_hook_calls_a_program_of_the_environment_or_make() -> None:
    (local,) = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())["repos"]
    assert local["repo"] == "local"
    locked = (ROOT / "requirements.txt").read_text()
    for hook in local["hooks"]:
        program, first, *_ = hook["entry"].split()
        if program == "make":
            assert first in TARGETS
        else:
            assert f"\n{program.removeprefix('.venv/bin/')}==" in locked


def test_what_is_installed_is_locked_to_its_bytes() -> None:
    locked = (ROOT / "requirements.txt").read_text().replace("\\\n", " ").splitlines()
    assert len(locked) > 100
    for line in locked:
        assert re.fullmatch(r"[\w.-]+==[\w.]+( ; [^#]+?)?( +--hash=sha256:[0-9a-f]{64})+", line), line
    assert not re.search(r"://|--(extra-)?index-url|--find-links", "".join(locked)), "a host that not everybody reaches"


def test_the_licenses_are_the_same_wherever_they_are_named() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert citation["license"] == [path.stem for path in sorted((ROOT / "LICENSES").glob("*"), reverse=True)]
    assert project["license"] in citation["license"]
    assert citation["authors"] == project["authors"]
