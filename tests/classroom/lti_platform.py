"""An LMS's half of LTI 1.3, strict about what the standard demands: a server on this machine."""

from __future__ import annotations

import datetime
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import RSAKey

MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ITEM, SCORE = (
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
)
_ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"
#: By method and the last part of the path: the scope, and the media type that is accepted or sent.
_SERVICES = {
    ("GET", "members"): (MEMBERS, "application/vnd.ims.lti-nrps.v2.membershipcontainer+json"),
    ("GET", "items"): (ITEM, "application/vnd.ims.lis.v2.lineitemcontainer+json"),
    ("POST", "items"): (ITEM, "application/vnd.ims.lis.v2.lineitem+json"),
    ("POST", "scores"): (SCORE, "application/vnd.ims.lis.v1.score+json"),
}


def member(account: str, number: str, first: str, last: str, email: str = "", **more: Any) -> dict[str, Any]:
    """A learner, as the service of names and roles lists one; `more` replaces entries."""
    names = {"given_name": first, "family_name": last, "name": f"{first} {last}"}
    return {
        "user_id": account,
        "lis_person_sourcedid": number,
        "email": email,
        "roles": [f"{_ROLE}Learner"],
        **names,
        **more,
    }


TEACHER = {"roles": [f"{_ROLE}Instructor"]}


@dataclass
class Platform:
    """What the LMS holds: members, line items and scores, which it lists `page_size` at a time.

    Args:
        key: the tool's public key.
        allowed: the scopes that it grants.
        seconds: how long a token is good.
        answers: by path, a status with which it answers instead.
        refuses: accounts whose scores it does not take.
        filters: whether it lists only the line items that are asked for, as the standard requires.
    """

    address: str
    key: RSAKey | None = None
    members: list[dict[str, Any]] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    scores: list[dict[str, Any]] = field(default_factory=list)
    allowed: tuple[str, ...] = (MEMBERS, ITEM, SCORE)
    seconds: float = 3600
    page_size: int = 2
    answers: dict[str, int] = field(default_factory=dict)
    refuses: tuple[str, ...] = ()
    filters: bool = True
    assertions: list[str] = field(default_factory=list)
    tokens: dict[str, tuple[float, list[str]]] = field(default_factory=dict)

    def token(self, form: dict[str, list[str]]) -> tuple[int, dict[str, Any]]:
        """The answer to a request for a token."""
        if form["client_assertion_type"] != ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"]:
            return 400, {"error": "invalid_request"}
        if form["grant_type"] != ["client_credentials"]:
            return 400, {"error": "unsupported_grant_type"}
        try:
            assert self.key is not None
            decoded = jwt.decode(form["client_assertion"][0], self.key, algorithms=["RS256"])
        except JoseError:
            return 401, {"error": "invalid_client", "error_description": "bad signature"}
        claims, now = decoded.claims, time.time()
        right = claims["iss"] == claims["sub"] == "tool-1" and claims["aud"] == f"{self.address}/token"
        if not right or not claims["iat"] - 5 <= now < claims["exp"] or decoded.header["kid"] != self.key.kid:
            return 401, {"error": "invalid_client", "error_description": "bad claims"}
        if claims["jti"] in self.assertions:
            return 400, {"error": "invalid_request", "error_description": "jti used twice"}
        self.assertions.append(claims["jti"])
        granted = [scope for scope in form["scope"][0].split() if scope in self.allowed]
        if not granted:
            return 400, {"error": "invalid_scope"}
        name = f"token-{len(self.assertions)}"
        self.tokens[name] = (now + self.seconds, granted)
        # Clients renew a token a minute early, by what they are told.
        expires_in = int(self.seconds) + 60
        return 200, {"access_token": name, "token_type": "Bearer", "expires_in": expires_in, "scope": " ".join(granted)}

    def score(self, item: str, body: dict[str, Any]) -> int:
        """Take a score; the status of the answer."""
        when = datetime.datetime.fromisoformat(body["timestamp"])
        assert when.tzinfo is not None
        assert body["activityProgress"] in ("Initialized", "Started", "InProgress", "Submitted", "Completed")
        assert body["gradingProgress"] in ("FullyGraded", "Pending", "PendingManual", "Failed", "NotReady")
        assert body["scoreGiven"] >= 0 < body["scoreMaximum"]
        if body["userId"] in self.refuses or body["userId"] not in {entry["user_id"] for entry in self.members}:
            return 404
        former = [s for s in self.scores if (s["item"], s["userId"]) == (item, body["userId"])]
        if any(datetime.datetime.fromisoformat(s["timestamp"]) >= when for s in former):
            return 409
        self.scores.append({"item": item, **body})
        return 200

    def latest(self) -> dict[tuple[str, str], dict[str, Any]]:
        """The last score of each chapter and account."""
        label = {item["id"]: item["label"] for item in self.items}
        return {(label[score["item"]], score["userId"]): score for score in self.scores}


class _Handler(BaseHTTPRequestHandler):
    platform: Platform

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._answer("GET", "")

    def do_POST(self) -> None:
        self._answer("POST", self.rfile.read(int(self.headers["Content-Length"])).decode())

    def _answer(self, method: str, body: str) -> None:
        parts, platform = urlsplit(self.path), self.platform
        name = parts.path.rpartition("/")[2]
        if status := platform.answers.get(name):
            return self._send(status, {"error": "no"})
        if name == "token":
            return self._send(*platform.token(parse_qs(body)))
        if (method, name) not in _SERVICES:
            return self._send(404, {"error": "nothing here"})
        scope, media_type = _SERVICES[method, name]
        until, granted = platform.tokens.get(self.headers["Authorization"].removeprefix("Bearer "), (0.0, []))
        if time.time() >= until:
            return self._send(401, {"error": "token expired"})
        if scope not in granted:
            return self._send(403, {"error": "scope missing"})
        if self.headers["Accept" if method == "GET" else "Content-Type"] != media_type:
            return self._send(415, {"error": f"not {media_type}"})
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if (method, name) == ("GET", "members"):
            return self._page("members", platform.members, query, lambda page: {"id": "c", "members": page})
        if query.get("type_id") != "3":  # as Moodle has it in the address of each service of scores
            return self._send(400, {"error": "no type_id"})
        if (method, name) == ("GET", "items"):
            wanted = query.get("resource_id") if platform.filters else None
            found = [item for item in platform.items if wanted in (None, item["resourceId"])]
            return self._page("items", found, query, lambda page: page)
        if name == "items":
            platform.items.append(
                {**json.loads(body), "id": f"{platform.address}/{len(platform.items)}/item?type_id=3"}
            )
            return self._send(201, platform.items[-1])
        item = f"{platform.address}{parts.path.removesuffix('/scores')}?{parts.query}"
        status = platform.score(item, json.loads(body))
        return self._send(status, {} if status == 200 else {"error": "not taken"})

    def _page(self, name: str, entries: list[dict[str, Any]], query: dict[str, str], form: Any) -> None:
        start, size = int(query.get("from", 0)), self.platform.page_size
        more = {key: text for key, text in query.items() if key != "from"} | {"from": str(start + size)}
        url = f"{self.platform.address}/{name}?" + "&".join(f"{key}={text}" for key, text in more.items())
        links = {"Link": f'<{url}>; rel="next"'} if start + size < len(entries) else {}
        self._send(200, form(entries[start : start + size]), links)

    def _send(self, status: int, content: object, headers: dict[str, str] | None = None) -> None:
        text = json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**(headers or {}), "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)


@contextmanager
def running_platform() -> Iterator[Platform]:
    """A platform that serves requests until the end."""
    handler = type("Handler", (_Handler,), {})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        handler.platform = Platform(f"http://127.0.0.1:{server.server_port}")  # type: ignore[attr-defined]
        thread = Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield handler.platform  # type: ignore[attr-defined]
        finally:
            server.shutdown()
            thread.join()
