"""Files: where temporary links lead when the service itself stores them."""

from typing import Any

from pyramid.config import Configurator
from pyramid.response import FileResponse

from competition.core.auth.access import PUBLIC
from competition.core.web.request import Request
from competition.core.web.schemas import Schema, Text, node
from competition.core.web.service import Service

file = Service("/files/{key:path}/")


class Link(Schema):
    expires = node(Text(0, 255), missing="", description="As the link has it.")
    signature = node(Text(0, 255), missing="", description="As the link has it.")


@file.get(access=PUBLIC, query=Link, limit="none", media_type="application/octet-stream")
def download_file(request: Request, key: str) -> Any:
    """What a temporary link leads to; the signature is the permission (decisions F9)."""
    link = request.validated
    stored = request.work.storage.open_link(
        key, link["expires"], link["signature"], request.work.now
    )
    response = FileResponse(str(stored.path), request, content_type=stored.content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{stored.filename}"'
    # The content was judged at upload; a browser is not to judge it again.
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


def includeme(config: Configurator) -> None:
    config.scan(__name__)
