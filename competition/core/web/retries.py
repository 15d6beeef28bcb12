"""Decide how often a request may be run, and which bodies are read before the request is routed.

To run a request again, its body has to be in memory, and is read before the API key is checked. So
a body is read here only if an endpoint takes it, and only up to a size.

The time of a request (`Work.now`) is taken after its body was read. Otherwise a candidate could
begin a request in time, and send the answers much later.
"""

from competition.core.database_errors import TRIES
from competition.core.runtime import API_PREFIX
from competition.core.schemas import LARGEST_ANONYMOUS_JSON
from competition.core.web.endpoint import Endpoint
from competition.core.web.request import JSON, LARGEST_JSON, Request
from competition.core.web.service import Operations


def retry_attempts(request: Request) -> int:
    """How many times pyramid_retry may run a request.

    A body that no endpoint takes is dropped unread. A request with a body is run only once if
    - its path is not below the prefix of the API;
    - its body is not JSON, because forms are read as a stream;
    - the body is larger than the caller may send, or an unknown caller sends it in chunks; or
    - the client stops sending before the end of the body.
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
    if request.content_type.lower() != JSON:
        return 1
    length, is_of_user = request.content_length, _is_of_user(request, endpoint)
    if length is None and not is_of_user:
        return 1
    if length is not None and length > (LARGEST_JSON if is_of_user else LARGEST_ANONYMOUS_JSON):
        return 1
    try:
        if length is None:
            request.receive_chunks(LARGEST_JSON)
        request.make_body_seekable()
    except OSError:
        # The client stopped sending before the end. The endpoint rejects the body.
        return 1
    return TRIES


def _is_of_user(request: Request, endpoint: Endpoint) -> bool:
    """Whether the endpoint needs a user, and the request has the headers that name one. They are
    checked later."""
    has_credentials = "X-Api-Key" in request.headers and "Authorization" in request.headers
    return endpoint.access.needs_user and has_credentials
