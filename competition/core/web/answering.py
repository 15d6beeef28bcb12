"""Call the view of an endpoint, and build the response from its result: status, JSON and ETag."""

from functools import partial
from hashlib import blake2b
from typing import Any

import msgspec
from pyramid.response import Response

from competition.core.messages import Message, translate_for, worded
from competition.core.web.endpoint import Endpoint
from competition.core.web.request import Request

# The size of an ETag in bytes, each of which is written as two hexadecimal digits.
TAG_SIZE = 16


def answer(request: Request, endpoint: Endpoint) -> Response:
    """Call the endpoint's view, and return its response, or a response with its result as JSON.

    If the endpoint declares the status 204, the response is empty.
    """
    status = endpoint.statuses[0]
    # The first declared status is the default. The view may set another declared status later.
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
    """Encode `content` as JSON into the request's response.

    msgspec encodes times (with ``Z`` for UTC), UUIDs and TypedDicts. This is not a Pyramid
    renderer, because calling a renderer takes a twentieth of the time of a request.
    """
    response: Response = request.response
    response.body = msgspec.json.encode(content, enc_hook=partial(_encoded, request))
    return response


def _encoded(request: Request, value: object) -> str:
    """The translated text of a message. Raises TypeError for any other value, because msgspec can't
    encode it."""
    if not isinstance(value, Message):
        raise TypeError(f"A reply can't have a {type(value).__name__}.")
    text: str = worded(value, translate_for(request.registry.runtime, request.language))
    return text


def revalidate(endpoint: Endpoint, request: Request, response: Response) -> None:
    """Response callback: set an ETag, and make the response a 304 if the client has that version.

    Replies that need no login are `no-cache`, unless the view says for how long they may be cached.
    Replies to a user stay `no-store`, so that a shared school computer stores no copy.
    """
    if response.status_int != 200:
        return
    tag = blake2b(_tagged(endpoint, response), digest_size=TAG_SIZE).hexdigest()
    response.headerlist.append(("ETag", f'"{tag}"'))
    cached = response.headers.get("Cache-Control", "")
    if not endpoint.access.needs_user and "max-age" not in cached:
        response.headers["Cache-Control"] = "no-cache"
    # WebOb's conditional_response is not used, because it decides only when the response is sent,
    # and also compares dates and a Range.
    if request.method in ("GET", "HEAD") and tag in request.if_none_match:
        response.status = "304 Not Modified"
        response.app_iter = ()
        response.content_type = None


def _tagged(endpoint: Endpoint, response: Response) -> bytes:
    """The part of the body that the ETag is computed from: the fields that `endpoint.polled` does
    not name, or the whole body if it names none."""
    body = b"".join(response.app_iter)
    if not isinstance(endpoint.polled, tuple):
        return body
    fields = msgspec.json.decode(body)
    return msgspec.json.encode({k: v for k, v in fields.items() if k not in endpoint.polled})
