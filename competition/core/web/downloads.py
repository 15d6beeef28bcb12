"""The endpoint behind temporary links to stored files, for storages without links of their own."""

import os
from typing import Any

from pyramid.config import Configurator
from pyramid.response import FileIter, Response

from competition.core.auth.access import PUBLIC
from competition.core.errors import ServiceUnavailable, StorageUnavailable
from competition.core.schemas import Schema, Text, node
from competition.core.storage import files
from competition.core.users import sessions
from competition.core.web.request import Request
from competition.core.web.service import Service

file = Service("/files/{key:path}/")


class Link(Schema):
    expires = node(Text(0, 255), missing="", description="Part of the link.")
    session = node(Text(0, 255), missing="", description="Part of some links.")
    signature = node(Text(0, 255), missing="", description="Part of the link.")


@file.get(
    access=PUBLIC,
    query=Link,
    limit="none",
    media_type="application/octet-stream",
    errors=(StorageUnavailable, ServiceUnavailable),
)
def download_file(request: Request, key: str) -> Any:
    """Download a file by a temporary link. The link's signature is the permission."""
    link = request.validated
    work = request.work
    found = files.follow_link(
        work, key, **link, lasts=lambda session_id: bool(sessions.living(work, [session_id]))
    )
    length = found.stream.seek(0, os.SEEK_END)
    found.stream.seek(0)
    response = Response(
        app_iter=FileIter(found.stream),
        content_type=found.content_type,
        content_length=length,
        last_modified=found.created_at,
        conditional_response=True,
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{found.filename}"'
    # If a page embeds the file instead of saving it, the browser runs no script in it, such as one
    # in an SVG.
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


def includeme(config: Configurator) -> None:
    config.scan(__name__)
