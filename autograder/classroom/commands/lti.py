"""Commands for an LMS with LTI 1.3: `connect`, `roster` and `send`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from ...cuda.errors import UsageError
from .grading import add_db


def add_commands(commands: Any) -> None:
    """Add them to argparse's `commands`."""
    connect = commands.add_parser("connect", help="connect the course with its LMS by LTI 1.3, or print what it needs")
    connect.add_argument("--client-id", default="", metavar="ID", help="what the LMS calls this tool")
    connect.add_argument("--token", default="", metavar="URL", help="where the LMS gives access tokens")
    connect.add_argument("--members", default="", metavar="URL", help="the course's names and roles")
    connect.add_argument("--items", default="", metavar="URL", help="the course's line items")
    connect.set_defaults(command=_connect)

    roster = commands.add_parser("roster", help="add the LMS's students to the gradebook, by LTI 1.3")
    add_db(roster)
    roster.set_defaults(command=_roster)

    send = commands.add_parser("send", help="send scores to the LMS, by LTI 1.3")
    send.add_argument("chapters", nargs="*", metavar="chapter", help="only these (default: all that were graded)")
    add_db(send)
    send.set_defaults(command=_send)


def _connect(options: argparse.Namespace) -> int:
    import json

    from ..classroom import open_classroom
    from ..lti import connection, roster, service

    root = open_classroom(Path.cwd()).root
    key = connection.read_key(root)
    given = {"client-id": options.client_id, "token": options.token, "members": options.members, "items": options.items}
    if not any(given.values()):
        print("Register a tool of LTI 1.3 in the LMS, with this public key:\n")
        print(key.as_pem(private=False).decode())
        print(f"or, where it takes a JSON Web Key:\n\n{json.dumps(connection.public_jwk(key))}\n")
        print("and with these scopes:\n")
        print(*(service.MEMBERS, service.ITEMS, service.SCORES), sep="\n")
        print("\nThen: autograder connect --client-id ID --token URL --members URL --items URL")
        return 0
    if missing := [name for name, text in given.items() if not text]:
        raise UsageError(f"--{missing[0]} is missing: give all four, as the LMS shows them.")
    for name in ("token", "members", "items"):
        connection.check_address(given[name])
    made = connection.Connection(options.client_id, options.token, options.members, options.items)
    opened = service.Service(made, key, (service.MEMBERS, service.ITEMS, service.SCORES))
    members = roster.read_members(opened, made.members)
    connection.save_connection(root, made)
    print(f"Connected: the course in the LMS has {len(members)} members. Next: autograder roster")
    return 0


def _roster(options: argparse.Namespace) -> int:
    from ..classroom import open_classroom
    from ..lti.connection import read_connection, read_key
    from ..lti.roster import read_members, take_members
    from ..lti.service import MEMBERS, Service
    from ..students import lines_of

    room = open_classroom(Path.cwd(), options.db)
    connection = read_connection(room.root)
    service = Service(connection, read_key(room.root), (MEMBERS,))
    done = take_members(room, read_members(service, connection.members))
    for line in lines_of(done, "The LMS's list"):
        print(line)
    return 1 if done.left else 0


def _send(options: argparse.Namespace) -> int:
    from ...cuda.report.vocabulary import printable
    from ..classroom import open_classroom
    from ..lti.connection import read_accounts, read_connection, read_key
    from ..lti.scores import lines_of, send
    from ..lti.service import ITEMS, SCORES, Service
    from ..results import export

    room = open_classroom(Path.cwd(), options.db)
    connection, accounts = read_connection(room.root), read_accounts(room.root)
    chapters = export.read_scores(room, options.chapters)
    service = Service(connection, read_key(room.root), (ITEMS, SCORES))
    everybody = True
    for done in send(room, service, connection.items, accounts, chapters):
        for line in lines_of(done):
            print(printable(line))
        everybody = everybody and not done.unknown and not done.refused
    for line in (*export.with_stale_penalties(room, chapters), *export.without_an_answer(room, chapters)):
        print(printable(line))
    return 0 if everybody else 1
