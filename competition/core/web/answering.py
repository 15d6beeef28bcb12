"""Call the view of an endpoint, and make a response of its result: status, JSON, ETag."""

from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
from pyramid.response import Response

from competition.core.web.endpoint import Endpoint
from competition.core.web.request import Request

# The size of an ETag in bytes. It has two characters for each.
TAG_SIZE = 16


def answer(request: Request, endpoint: Endpoint) -> Response:
    """The response of the endpoint's view."""
    status = endpoint.statuses[0]
    # A view that answers with another status sets it afterwards.
    if status != 200:
        request.response.status_int = status
    if endpoint.polled:
        request.add_response_callback(partial(revalidate, endpoint))
    if endpoint.deprecation is not None:
        request.add_response_callback(endpoint.deprecation.announce)
    result = endpoint.view(request, **request.path_values)
    request.check_unchanged()
    if status == 204:
        return Response(status=204)
    return result if isinstance(result, Response) else _json(request, result)


def _json(request: Request, content: Any) -> Response:
    """A JSON response by msgspec, which writes times (``Z`` for UTC), UUIDs and TypedDicts. A
    renderer of Pyramid would cost a twentieth of a request."""
    response: Response = request.response
    response.body = msgspec.json.encode(content)
    return response


def revalidate(endpoint: Endpoint, request: Request, response: Response) -> None:
    """Response callback: set an ETag, and make the response a 304 if the client has that version.

    Replies that need no login are `no-cache`. Replies to a user stay `no-store`, so that a shared
    school computer stores no copy.
    """
    if response.status_int != 200:
        return
    tag = blake2b(_tagged(endpoint, response), digest_size=TAG_SIZE).hexdigest()
    response.headerlist.append(("ETag", f'"{tag}"'))
    if not endpoint.access.needs_user:
        response.headers["Cache-Control"] = "no-cache"
    # WebOb's conditional_response would decide this at the very end, and would also compare dates
    # and a Range.
    if request.method in ("GET", "HEAD") and tag in request.if_none_match:
        response.status = "304 Not Modified"
        response.app_iter = ()
        response.content_type = None


def _tagged(endpoint: Endpoint, response: Response) -> bytes:
    """The part of the body that the ETag stands for."""
    body = b"".join(response.app_iter)
    if not isinstance(endpoint.polled, tuple):
        return body
    fields = msgspec.json.decode(body)
    return msgspec.json.encode({k: v for k, v in fields.items() if k not in endpoint.polled})
