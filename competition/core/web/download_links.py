"""One-use links. A GET by such a link needs no headers: the service answers it as if the user who
got the link had sent it.

A browser can write a file directly to the disk, and show the progress, only if the request needs no
headers. A link is the path, its query and a ticket (`competition.core.users.tickets`). It works for
this path, this query and this user only, and the endpoint makes all of its checks when the link is
used.
"""

from datetime import datetime
from urllib.parse import parse_qsl, quote, unquote, urlencode

from pyramid.response import Response

from competition.core.errors import Invalid
from competition.core.messages import Message
from competition.core.runtime import API_PREFIX
from competition.core.users import tickets
from competition.core.users.tickets import UsedTicket
from competition.core.web.endpoint import Endpoint
from competition.core.web.request import Request
from competition.core.web.service import Operations
from competition.core.work import Work, changing

TICKET = "ticket"
# The key in the WSGI environment under which the used ticket is stored. If pyramid_retry runs the
# request again, the ticket is read there, because it can't be used a second time.
USED = "competition.used_ticket"


def can_be_linked(endpoint: Endpoint) -> bool:
    """Whether one-use links to this endpoint can be issued: it must be a GET that needs a user and
    only reads."""
    return endpoint.method == "GET" and not endpoint.transaction and endpoint.access.needs_user


def issue(work: Work, target: str) -> tuple[str, datetime]:
    """A link for the actor to `target`, a path below the prefix of the API with its query. Returns
    its URL, and when it expires.

    Raises Invalid if no endpoint has this path, or links to the endpoint are not allowed
    (`can_be_linked`).
    """
    path, _, query = target.partition("?")
    path = unquote(path).rstrip("/") + "/"
    endpoint = work.runtime[Operations].find("GET", path)
    if endpoint is None or not can_be_linked(endpoint):
        raise Invalid.field(
            "path",
            Message(
                "A reply of this path can't be downloaded by a link. Send the path of a GET request"
                " that needs a login and changes nothing, for example /exams/7/results/."
            ),
        )
    sent = _without_ticket(query)
    ticket, expires_at = tickets.issue_for_download(work, _target(path, sent))
    query = urlencode([*sent, (TICKET, ticket)])
    return f"{work.runtime.api_url}{quote(path)}?{query}", expires_at


def used_by(request: Request, endpoint: Endpoint) -> UsedTicket | None:
    """The ticket of a request that comes by a link, or None for other requests.

    This uses the ticket up, commits that at once, and removes the ticket from the request's query.
    Raises InvalidToken if the ticket is not valid for the path and the query.
    """
    used: UsedTicket | None = request.environ.get(USED)
    if used is None:
        ticket = _ticket_of(request, endpoint)
        if ticket is None:
            return None
        path = request.path_info.removeprefix(API_PREFIX)
        sent = _without_ticket(request.query_string)
        with changing(request.work) as work:
            used = tickets.use_for_download(work, ticket, _target(path, sent))
        request.environ[USED] = used
        # Otherwise a list would show the ticket in the URL of its next page.
        request.query_string = urlencode(sent)
    request.add_response_callback(_as_download)
    return used


def _ticket_of(request: Request, endpoint: Endpoint) -> str | None:
    """The ticket in the query, or None. The ticket is ignored if the request has an API key or an
    access token in its headers, or if links to the endpoint are not allowed."""
    if (
        request.method != "GET"
        or not can_be_linked(endpoint)
        or "X-Api-Key" in request.headers
        or "Authorization" in request.headers
    ):
        return None
    return dict(_parsed(request.query_string)).get(TICKET)


def _as_download(request: Request, response: Response) -> None:
    """Response callback: make the browser save the reply as a file, and forbid caching it."""
    response.headers["Cache-Control"] = "no-store"
    response.headers.setdefault("Content-Disposition", "attachment")


def _target(path: str, query: list[tuple[str, str]]) -> str:
    """The target of a ticket, in the same form when a link is issued and when it is used."""
    return f"{path}?{urlencode(query)}"


def _without_ticket(query: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in _parsed(query) if name != TICKET]


def _parsed(query: str) -> list[tuple[str, str]]:
    return parse_qsl(query, keep_blank_values=True)
