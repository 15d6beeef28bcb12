"""Decide how often a request may be run, and which bodies are read before the request is routed.

To run a request again, its body has to be in memory, and is read before the API key is checked. So
a body is read here only if an endpoint takes it, and only up to a size.
"""

from competition.core.database_errors import TRIES
from competition.core.runtime import API_PREFIX
from competition.core.schemas import LARGEST_ANONYMOUS_JSON
from competition.core.web.endpoint import Endpoint
from competition.core.web.request import JSON, LARGEST_JSON, Request
from competition.core.web.service import Operations


def retry_attempts(request: Request) -> int:
    """How many times pyramid_retry may run a request.

    A body that no endpoint takes is dropped unread. A request is run only once if
    - its body is not JSON, because forms are read as a stream;
    - the length of the body is unknown; or
    - the body is larger than an unknown caller may send.
    """
    if not request.is_body_readable:
        return TRIES
    try:
        path: str = request.path_info
    except UnicodeDecodeError:
        return 1
    if not path.startswith(f"{API_PREFIX}/"):
        return 1
    operations = request.registry.runtime[Operations]
    endpoint = operations.find(request.method, path.removeprefix(API_PREFIX))
    if endpoint is None or not endpoint.takes_body:
        request.body = b""
        return TRIES
    length = request.content_length
    if (
        length is None
        or length > _largest(request, endpoint)
        or request.content_type.lower() != JSON
    ):
        return 1
    try:
        request.make_body_seekable()
    except OSError:
        # The client stopped sending before the end. The endpoint rejects the body.
        return 1
    return TRIES


def _largest(request: Request, endpoint: Endpoint) -> int:
    """The largest body that is read before the caller is checked, in bytes. A larger body is read
    afterwards, if the caller may send it."""
    has_credentials = "X-Api-Key" in request.headers and "Authorization" in request.headers
    if endpoint.access.needs_user and has_credentials:
        return LARGEST_JSON
    return LARGEST_ANONYMOUS_JSON
