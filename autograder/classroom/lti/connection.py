"""What connects a course with its LMS: our key, the LMS's addresses, and who is who there.

All of it is in the folder `lti/` of the course, which git ignores.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from joserfc.jwk import RSAKey

from ...cuda.errors import UsageError
from ...exercises.files import write_text

#: Below the course's root.
FOLDER = Path("lti")
_KEY, _CONNECTION, _ACCOUNTS = FOLDER / "private_key.pem", FOLDER / "connection.json", FOLDER / "accounts.json"
_HERE = ("localhost", "127.0.0.1", "::1")


@dataclass(frozen=True)
class Connection:
    """Where the LMS's services are.

    Args:
        client_id: what the LMS calls this tool.
        token: the address that gives access tokens.
        members: the address of the course's members.
        items: the address of the course's line items, which are its columns of scores.
    """

    client_id: str
    token: str
    members: str
    items: str


def read_key(root: Path) -> RSAKey:
    """The private key of the course at `root`, which is made if there is none.

    Raises:
        UsageError: it cannot be read or written.
    """
    path = root / _KEY
    try:
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            pem = RSAKey.generate_key(2048, auto_kid=True).as_pem(private=True)
            staged = path.with_suffix(".new")
            staged.unlink(missing_ok=True)
            with open(os.open(staged, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(pem)
            staged.rename(path)
        key = RSAKey.import_key(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"{path} cannot be used ({error.strerror}): it must be readable, and its folder too."
        ) from None
    except ValueError:
        raise UsageError(f"{path} holds no RSA key. Delete it, and register the new key in the LMS.") from None
    key.ensure_kid()
    return key


def public_jwk(key: RSAKey) -> dict[str, Any]:
    """The public half of `key` as a JSON Web Key."""
    return {**key.as_dict(private=False), "alg": "RS256", "use": "sig"}


def check_address(url: str) -> str:
    """Return `url`.

    Raises:
        UsageError: what is sent there could be read on the way, or it is no address.
    """
    parts = urlsplit(url)
    if parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _HERE)):
        return url
    raise UsageError(f"'{url}' is no address of an LMS: copy one that starts with https:// from its registration page.")


def save_connection(root: Path, connection: Connection) -> None:
    """Save the `connection` of the course at `root`.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(root / _CONNECTION, json.dumps(asdict(connection), indent=1) + "\n")


def read_connection(root: Path) -> Connection:
    """The connection of the course at `root`.

    Raises:
        UsageError: there is none.
    """
    return Connection(**_read(root / _CONNECTION, "autograder connect", tuple(Connection.__annotations__)))


def save_accounts(root: Path, accounts: Mapping[str, str]) -> None:
    """Save, by student, the id of the account in the LMS.

    Raises:
        UsageError: it cannot be written.
    """
    write_text(root / _ACCOUNTS, json.dumps(dict(accounts), indent=1, sort_keys=True) + "\n")


def read_accounts(root: Path) -> dict[str, str]:
    """By student, the id of the account in the LMS.

    Raises:
        UsageError: there is no list.
    """
    return _read(root / _ACCOUNTS, "autograder roster", ())


def _read(path: Path, command: str, names: tuple[str, ...]) -> dict[str, str]:
    """The texts in the JSON file at `path`, which `command` writes: those called `names`, if any are given."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise UsageError(f"{path} does not exist: run `{command}` first.") from None
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read ({error}): run `{command}` again.") from None
    if not (isinstance(found, dict) and all(isinstance(text, str) for text in found.values())):
        raise UsageError(f"{path} does not hold what `{command}` writes: run it again.")
    if names and set(found) != set(names):
        raise UsageError(f"{path} does not hold what `{command}` writes: run it again.")
    return found
