"""Students from an LMS and scores back to it by LTI 1.3, with an LMS simulated on this machine."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import inputs
import pytest
from lti_platform import ITEM, MEMBERS, SCORE, TEACHER, Platform, member, running_platform
from small_course import Course, submit

from autograder import cli
from autograder.classroom.classroom import Classroom, open_classroom
from autograder.classroom.grade import grade
from autograder.classroom.lti.connection import read_key
from autograder.classroom.results.lateness import set_due

pytestmark = inputs.grading

ADA = member("u-1", "ada", "Ada", "Lovelace", "ada@x.org")
BOB = member("u-2", "bob", "Bob", "Müller")  # the LMS has no address of his
CARL = member("u-3", "carl", "Carl", "Gauß", "carl@x.org", status="Inactive")
GRACE = member("u-9", "grace", "Grace", "Hopper", "grace@x.org", **TEACHER)


@pytest.fixture(scope="module")
def graded(fresh: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ada, Bob, Carl and somebody called `me` have handed in, and were graded. Not to be changed."""
    root = shutil.copytree(fresh.root, tmp_path_factory.mktemp("lti") / "course")
    for student, word in (("ada", "right"), ("bob", "wrong"), ("carl", "right"), ("me", "right")):
        submit(root, student, word)
    grade(open_classroom(root), "words")
    return root


@pytest.fixture
def room(graded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Classroom:
    """A copy of the class, in which commands run."""
    root = shutil.copytree(graded, tmp_path / "course")
    monkeypatch.chdir(root)
    return open_classroom(root)


@pytest.fixture
def platform(room: Classroom) -> Iterator[Platform]:
    """An LMS that has the course's key, and everybody in its course."""
    with running_platform() as platform:
        platform.key, platform.members = read_key(room.root), [ADA, BOB, CARL, GRACE]
        yield platform


def connect(platform: Platform, **changed: str) -> int:
    where = {"client-id": "tool-1", **{name: f"{platform.address}/{name}" for name in ("token", "members")}}
    where |= {"items": f"{platform.address}/items?type_id=3", **changed}
    return cli.main(["connect", *(word for name, text in where.items() for word in (f"--{name}", text))])


@pytest.fixture
def connected(platform: Platform) -> Platform:
    assert connect(platform) == 0
    return platform


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().out.splitlines()


def refusal(capsys: pytest.CaptureFixture[str], *command: str) -> str:
    """The single sentence with which a command fails."""
    capsys.readouterr()
    assert cli.main([*command]) == 2
    printed = capsys.readouterr()
    assert not printed.out and len(printed.err.splitlines()) == 1
    return printed.err


def test_a_class_goes_from_the_roster_to_the_scores(
    connected: Platform, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    assert connect(connected) == 0
    assert lines(capsys) == ["Connected: the course in the LMS has 4 members. Next: autograder roster"]
    assert cli.main(["roster"]) == 1  # Carl needs attention
    assert lines(capsys) == [
        "The LMS's list: 0 students new, 2 changed, 0 unchanged. Their ids are of the column 'ID number'.",
        "no students, by their role: Grace Hopper.",
        "no longer active in the LMS, so neither added nor sent scores: Carl Gauß.",
    ]
    with room.gradebook() as gradebook:
        known = {s.id: (s.first_name, s.last_name, s.email) for s in gradebook.students}
    assert known["ada"] == ("Ada", "Lovelace", "ada@x.org")
    assert known["bob"] == ("Bob", "Müller", None)
    assert known["carl"] == (None, None, None) and "grace" not in known
    set_due(room, "words", "2099-01-01")
    assert cli.main(["send"]) == 1
    assert lines(capsys) == [
        "words: 2 scores sent.",
        "words: not sent, since the LMS's list does not name them: carl, me. Run `autograder roster`, or enter their "
        "scores by hand.",
    ]
    [item] = connected.items
    assert (item["label"], item["resourceId"], item["scoreMaximum"]) == ("words", "words", 9.0)
    found = connected.latest()
    assert {who: score["scoreGiven"] for (_, who), score in found.items()} == {"u-1": 9.0, "u-2": 1.0}
    assert found["words", "u-1"]["comment"] == "one 4 of 4, two 5 of 5"
    progress = {(score["activityProgress"], score["gradingProgress"]) for score in found.values()}
    assert progress == {("Completed", "FullyGraded")}


def test_scores_sent_again_replace_the_former_ones(
    connected: Platform, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["roster"])
    cli.main(["send", "words"])
    with room.gradebook() as gradebook:
        gradebook.find_grade("test-first", "one", "words", "bob").manual_score = 0.5
        gradebook.find_grade("test-first", "two", "words", "ada").needs_manual_grade = True
        gradebook.db.commit()
    capsys.readouterr()
    cli.main(["send", "words"])
    assert len(connected.items) == 1 and len(connected.scores) == 4
    found = connected.latest()
    assert found["words", "u-2"]["scoreGiven"] == 1.5
    assert found["words", "u-2"]["comment"] == "one 0.5 of 4, two 1 of 5"
    assert found["words", "u-1"]["gradingProgress"] == "PendingManual"
    waits = "marked as not final, since answers wait for points by a person: Ada Lovelace (ada)."
    assert f"words: {waits}" in lines(capsys)


def test_a_penalty_is_taken_and_named(connected: Platform, room: Classroom) -> None:
    cli.main(["roster"])
    with room.gradebook() as gradebook:
        gradebook.find_submission("words", "ada").notebooks[0].late_submission_penalty = 0.5
        gradebook.db.commit()
    cli.main(["send"])
    found = connected.latest()["words", "u-1"]
    assert (found["scoreGiven"], found["comment"]) == (8.5, "one 4 of 4, two 5 of 5; 0.5 less for being late")


def test_all_pages_are_read(connected: Platform, capsys: pytest.CaptureFixture[str]) -> None:
    connected.members = [member(f"u-{n}", f"s{n}", "Stu", f"Dent{n}") for n in range(7)]
    connected.items = [{"id": f"old{n}", "label": "old", "resourceId": f"words{n}"} for n in range(5)]
    capsys.readouterr()
    assert cli.main(["roster"]) == 0
    assert lines(capsys)[0].startswith("The LMS's list: 7 students new, ")


@pytest.mark.parametrize("filters", [True, False])
def test_the_line_item_is_found_among_others(filters: bool, connected: Platform) -> None:
    """On a later page, if the platform lists all."""
    connected.filters = filters
    cli.main(["roster"])
    cli.main(["send"])
    twins = [{**connected.items[0], "resourceId": "words", "id": f"{connected.address}/x{n}/item"} for n in range(3)]
    connected.items = [{**twin, "resourceId": "Words"} for twin in twins] + connected.items
    connected.answers = {}
    cli.main(["send"])
    assert len(connected.items) == 4 and {score["item"] for score in connected.scores} == {connected.items[3]["id"]}


def test_an_expired_token_is_renewed_with_a_new_assertion(
    connected: Platform, capsys: pytest.CaptureFixture[str]
) -> None:
    connected.seconds = 0  # the platform accepts none for long, and says 60 s, at which a client renews
    connected.members = [member(f"u-{n}", f"s{n}", "Stu", f"Dent{n}") for n in range(5)]
    capsys.readouterr()
    assert "token" in refusal(capsys, "roster")  # good for no request at all
    connected.seconds = 0.5
    assert cli.main(["roster"]) == 0
    assert len(set(connected.assertions)) == len(connected.assertions) >= 4


def test_who_cannot_be_distinguished_gets_no_score(
    connected: Platform, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    twin = {**ADA, "user_id": "u-7"}
    other = member("u-8", "bob", "Bo", "Other")
    connected.members = [
        ADA,
        twin,
        BOB,
        other,
        member("u-5", "", "No", "Number", "n@x.org"),
        CARL | {"status": "Active"},
    ]
    capsys.readouterr()
    assert cli.main(["roster"]) == 1
    assert lines(capsys)[1:] == [
        "no ID number: No Number. Write it there, and import again.",
        "one ID number for several people: Bob Müller, Bo Other. Neither was taken: fix that there, and import again.",
        "two accounts in the LMS with one ID number, so no scores are sent to either: Ada Lovelace. Remove one of them "
        "from the course there, and run the command again.",
    ]
    assert cli.main(["send"]) == 1
    assert {who for _, who in connected.latest()} == {"u-3"}


def test_a_member_in_two_sections_is_one(connected: Platform) -> None:
    connected.members = [ADA, ADA, BOB]
    assert cli.main(["roster"]) == 0
    assert json.loads(Path("lti/accounts.json").read_text()) == {"ada": "u-1", "bob": "u-2"}


def test_addresses_name_students_where_there_are_no_numbers(connected: Platform, room: Classroom) -> None:
    connected.members = [ADA | {"lis_person_sourcedid": ""}, GRACE]
    assert cli.main(["roster"]) == 0
    assert json.loads(Path("lti/accounts.json").read_text()) == {"ada@x.org": "u-1"}


def test_one_refused_score_stops_no_other(connected: Platform, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["roster"])
    connected.refuses = ("u-1",)
    capsys.readouterr()
    assert cli.main(["send"]) == 1
    assert 'words: the LMS refused the scores of Ada Lovelace (ada) (404, {"error": "not taken"}).' in lines(capsys)
    assert {who for _, who in connected.latest()} == {"u-2"}


@pytest.mark.parametrize(
    ("path", "status", "means"),
    [
        ("members", 401, "does not accept the token"),
        ("members", 403, "does not allow this"),
        ("members", 404, "copy the address again"),
        ("members", 503, "the LMS has a fault. Run the command again later"),
        ("token", 503, r"cannot be used \(it answers 503\)"),
    ],
)
def test_what_the_lms_refuses(
    connected: Platform, capsys: pytest.CaptureFixture[str], path: str, status: int, means: str
) -> None:
    connected.answers = {path: status}
    assert re.search(means, refusal(capsys, "roster"))


def test_sending_can_be_repeated_after_a_fault(connected: Platform, capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["roster"])
    connected.answers = {"scores": 502}
    assert "answers 502" in refusal(capsys, "send")
    connected.answers = {}
    cli.main(["send"])
    assert len(connected.items) == 1 and len(connected.latest()) == 2


@pytest.mark.parametrize(("command", "scope"), [("roster", MEMBERS), ("send", SCORE), ("send", ITEM)])
def test_a_scope_that_is_not_granted(
    connected: Platform, capsys: pytest.CaptureFixture[str], command: str, scope: str
) -> None:
    cli.main(["roster"])
    connected.allowed = tuple(other for other in connected.allowed if other != scope)
    message = refusal(capsys, command)
    assert "invalid_scope" in message or f"does not let this tool use {scope}" in message


def test_another_key_gets_no_token(platform: Platform, room: Classroom, capsys: pytest.CaptureFixture[str]) -> None:
    Path("lti/private_key.pem").unlink()
    assert connect(platform) == 2
    assert "gives no token (invalid_client bad signature): check the client id, and that" in capsys.readouterr().err
    assert not Path("lti/connection.json").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"client-id": "tool-2"}, "invalid_client bad claims"),
        ({"token": "http://lms.example.org/token"}, "'http://lms.example.org/token' is no address of an LMS"),
        ({"members": "lms.example.org"}, "'lms.example.org' is no address of an LMS"),
        ({"items": ""}, "--items is missing: give all four"),
        ({"token": "http://127.0.0.1:9/token"}, r"cannot be used \(ConnectionError\)"),
    ],
)
def test_a_wrong_connection_is_not_saved(
    platform: Platform, capsys: pytest.CaptureFixture[str], changed: dict[str, str], message: str
) -> None:
    assert connect(platform, **changed) == 2
    printed = capsys.readouterr().err
    assert re.search(message, printed) and len(printed.splitlines()) == 1
    assert not Path("lti/connection.json").exists()


def test_other_answers_than_the_standard_has(
    connected: Platform, room: Classroom, capsys: pytest.CaptureFixture[str]
) -> None:
    for members, message in (
        ([{"user_id": "u-1"}], "does not list members as LTI 1.3 does"),
        ([GRACE], "lists no active student"),
        ([member("u-1", "", "Ada", "Lovelace")], "shares neither the ID numbers nor the e-mail addresses"),
    ):
        connected.members = members
        assert message in refusal(capsys, "roster")
    assert "lti/accounts.json does not exist: run `autograder roster` first." in refusal(capsys, "send")
    for text in ("", "[]", '{"token": 3}', '{"token": "x"}'):
        Path("lti/connection.json").write_text(text)
        assert "run" in refusal(capsys, "roster")
    Path("lti/private_key.pem").write_text("no key")
    assert "holds no RSA key" in refusal(capsys, "connect")


def test_registration_data_holds_no_secret(room: Classroom, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["connect"]) == 0
    printed = capsys.readouterr().out
    assert "BEGIN PUBLIC KEY" in printed and "PRIVATE" not in printed
    [jwk] = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    assert set(jwk) == {"kty", "n", "e", "kid", "alg", "use"}
    assert all(scope in printed for scope in (MEMBERS, ITEM, SCORE))
    assert Path("lti/private_key.pem").stat().st_mode & 0o077 == 0
    assert "/lti/" in (Path(__file__).parents[2] / ".gitignore").read_text().splitlines()
    cli.main(["connect"])
    assert capsys.readouterr().out == printed  # the key stays
