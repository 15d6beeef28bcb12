"""The second half of the order of checks (decisions A12): path, headers, guard, input.

Cornice calls these functions as the validators of each view. The first half, which decides who may
call an endpoint, is `competition.core.web.policy`.
"""

from typing import Any

from competition.core.errors import UnsupportedMediaType
from competition.core.messages import Message
from competition.core.storage.pictures import ReceivedFile
from competition.core.web import bodies, paths
from competition.core.web.bodies import BodyField
from competition.core.web.endpoint import Endpoint
from competition.core.web.forms import read_form
from competition.core.web.request import JSON, MULTIPART, Request
from competition.core.web.validation import deserialize


def check_path(request: Request, endpoint: Endpoint, **_: Any) -> None:
    """Parse the arguments of the path into ``request.path_values``. Raises NotFound if an argument
    is malformed."""
    request.path_values = paths.read(endpoint.parameters, request.matchdict)


def check_headers(request: Request, endpoint: Endpoint, **_: Any) -> None:
    """Validate the declared headers into ``request.validated``. Raises Invalid if a header is not
    valid."""
    if endpoint.headers is not None:
        sent = {name: request.headers.get(header) for name, header in endpoint.header_names.items()}
        given = {name: value for name, value in sent.items() if value is not None}
        request.validated.update(deserialize(endpoint.headers, given))


def check_guard(request: Request, endpoint: Endpoint, **_: Any) -> None:
    """Call the guard, which rejects the request if the object's state does not allow it. The result
    of the guard becomes ``request.target``."""
    if endpoint.guard is not None:
        # At this point `request.validated` has only the headers.
        request.target = endpoint.guard(request.work, **request.path_values, **request.validated)


def check_input(request: Request, endpoint: Endpoint, **_: Any) -> None:
    """Validate body, form and query into ``request.validated``.

    Raises Invalid for invalid values, UnsupportedMediaType for a body of another type, and
    InvalidFileType or FileSizeExceeded for a file that is not accepted.
    """
    if endpoint.body is not None:
        added = request.work.runtime.catalogue[BodyField].values()
        read = deserialize(endpoint.body, _sent(request, endpoint), added)
        request.validated.update(bodies.split(endpoint.body, added, read))
    elif endpoint.files:
        sent = read_form(request, endpoint.files)
        for upload in endpoint.files:
            file = sent.get(upload.name)
            request.validated[upload.name] = file if isinstance(file, ReceivedFile) else None
    if endpoint.query is not None:
        request.validated.update(deserialize(endpoint.query, request.query))


def _sent(request: Request, endpoint: Endpoint) -> dict[str, Any]:
    """The fields of the form or of the JSON object that the client sent."""
    is_form = endpoint.body is not None and endpoint.body.is_form
    if endpoint.files and (is_form or request.content_type.lower() == MULTIPART):
        return read_form(request, endpoint.files)
    if endpoint.body is not None and endpoint.body.optional and not request.has_body:
        return {}
    if endpoint.files and request.content_type.lower() != JSON:
        raise UnsupportedMediaType(
            Message("Send the body as ${type} or ${other}.", type=JSON, other=MULTIPART)
        )
    sent: dict[str, Any] = request.json_object
    return sent


# The order matters: a later check may use the results of an earlier one.
CHECKS = (check_path, check_headers, check_guard, check_input)
