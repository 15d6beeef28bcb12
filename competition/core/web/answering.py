"""Call the view of an endpoint, and build the response from its result: status, JSON and ETag."""

from collections.abc import Iterator
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
# A list that is read and encoded in parts is collected in parts of at least this many bytes.
PART_SIZE = 1 << 20


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
    response = _response(request, status, endpoint.view(request, **request.path_values))
    request.check_unchanged()
    return response


def _response(request: Request, status: int, result: Any) -> Response:
    """The response with the result of a view, encoded as JSON.

    msgspec encodes times (with ``Z`` for UTC), UUIDs and TypedDicts. This is not a Pyramid
    renderer, because calling a renderer takes a twentieth of the time of a request.
    """
    if status == 204:
        return Response(status=204)
    if isinstance(result, Response):
        return result
    response: Response = request.response
    encoder = msgspec.json.Encoder(enc_hook=partial(_encoded, request))
    if isinstance(result, Iterator):
        parts = _parts(encoder, result)
        response.app_iter = parts
        response.content_length = sum(map(len, parts))
    else:
        response.body = encoder.encode(result)
    return response


def _parts(encoder: msgspec.json.Encoder, items: Iterator[Any]) -> list[bytes]:
    """A list of all items as JSON, in parts.

    Each item is encoded as soon as it is read, so only the JSON is held in memory, and only once.
    All items are encoded before the reply begins: an error can still become a status.
    """
    parts = []
    part = bytearray(b"[")
    separator = b""
    for item in items:
        part += separator
        separator = b","
        encoder.encode_into(item, part, -1)
        if len(part) >= PART_SIZE:
            parts.append(bytes(part))
            part.clear()
    part += b"]"
    return [*parts, bytes(part)]


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
