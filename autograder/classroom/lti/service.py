"""Requests to an LMS's services: tokens, pages, and what each refusal means."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2.rfc7523 import PrivateKeyJWT
from joserfc.jwk import RSAKey
from requests import RequestException, Response

from ...cuda.errors import UsageError
from ...cuda.report.vocabulary import printable
from .connection import Connection, check_address

MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly"
ITEMS = "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"
SCORES = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
#: Seconds for a response to begin, and the most characters of an LMS's own message that we repeat.
_TIMEOUT, _MOST_SHOWN = 30, 200
#: What a status means, for whoever runs the command.
_MEANINGS = {
    401: "it does not accept the token; check that the tool is still registered and switched on for this course",
    403: "it does not allow this; give the tool this service in its registration",
    429: "it got too many requests; wait a minute, and run the command again",
}


class RefusedError(Exception):
    """The LMS refused one request; `status` is HTTP's, and the message the LMS's."""

    def __init__(self, response: Response) -> None:
        super().__init__(" ".join(printable(response.text[:_MOST_SHOWN]).split()) or response.reason)
        self.status = response.status_code


class Service:
    """A session with an LMS, for `scopes`.

    Raises:
        UsageError: the LMS gives no token.
    """

    def __init__(self, connection: Connection, key: RSAKey, scopes: tuple[str, ...]) -> None:
        self._token = check_address(connection.token)
        self._session = OAuth2Session(
            connection.client_id,
            key,
            # Not `claims`: Authlib would add the assertion's id to them, and a second token would repeat it.
            token_endpoint_auth_method=PrivateKeyJWT(self._token, headers={"kid": key.kid, "typ": "JWT"}),
            token_endpoint=self._token,
            grant_type="client_credentials",
            scope=" ".join(scopes),
            default_timeout=_TIMEOUT,
        )
        try:
            granted = self._session.fetch_token().get("scope", " ".join(scopes)).split()
        except (AuthlibBaseError, RequestException, ValueError, AttributeError) as error:
            raise self._without_a_token(error) from None
        if missing := [scope for scope in scopes if scope not in granted]:
            raise UsageError(f"The LMS does not let this tool use {missing[0]}: allow it in the tool's registration.")

    def pages(self, url: str, accept: str, **parameters: str) -> Iterator[Any]:
        """The JSON of each page from `url` on.

        Raises:
            UsageError: the LMS refuses, or does not answer in JSON.
            RefusedError: the LMS rejects the request itself.
        """
        seen: set[str] = set()
        while url and url not in seen:
            seen.add(url)
            response = self._request("GET", url, headers={"Accept": accept}, params=parameters)
            yield _json_of(response, url)
            url, parameters = response.links.get("next", {}).get("url", ""), {}

    def post(self, url: str, media_type: str, content: str) -> Response:
        """Post JSON.

        Raises:
            UsageError, RefusedError: as `pages`.
        """
        return self._request("POST", url, headers={"Content-Type": media_type}, data=content.encode())

    def post_for_json(self, url: str, media_type: str, content: str) -> Any:
        """The JSON that answers `post`.

        Raises:
            UsageError, RefusedError: as `pages`.
        """
        return _json_of(self.post(url, media_type, content), url)

    def _request(self, method: str, url: str, **options: Any) -> Response:
        try:
            response = self._session.request(method, check_address(url), **options)
        except AuthlibBaseError as error:  # the token expired, and there is no new one
            raise self._without_a_token(error) from None
        except RequestException as error:
            raise _unreachable(url, error) from None
        if (status := response.status_code) in _MEANINGS:
            raise UsageError(f"{url} answers {status}: {_MEANINGS[status]}.")
        if status >= 500:
            raise UsageError(f"{url} answers {status}: the LMS has a fault. Run the command again later.")
        if status >= 400:
            raise RefusedError(response)
        return response  # type: ignore[no-any-return]

    def _without_a_token(self, error: Exception) -> UsageError:
        if isinstance(error, AuthlibBaseError):
            why = printable(f"{error.error} {error.description or ''}"[:_MOST_SHOWN]).strip()
            return UsageError(
                f"{self._token} gives no token ({why}): check the client id, and that the LMS has this course's public "
                "key (`autograder connect` prints it)."
            )
        if isinstance(error, RequestException) and not isinstance(error, ValueError):
            return _unreachable(self._token, error)
        return UsageError(f"{self._token} gives no token: it does not answer in JSON. Copy the address again.")


def _json_of(response: Response, url: str) -> Any:
    try:
        return response.json()
    except ValueError:
        raise UsageError(f"{url} does not answer in JSON: copy the address again.") from None


def _unreachable(url: str, error: RequestException) -> UsageError:
    status = f"it answers {error.response.status_code}" if error.response is not None else type(error).__name__
    return UsageError(f"{url} cannot be used ({status}): check the address and the network, and run the command again.")
