"""Downloads without headers: by temporary links to stored files, for storages without links of
their own, and by one-use links to the replies of other endpoints."""

from datetime import datetime
from typing import Any, TypedDict

from pyramid.response import FileIter, Response

from competition.core.auth.access import PUBLIC, USER
from competition.core.errors import ServiceUnavailable, StorageUnavailable
from competition.core.schemas import Schema, Text, node
from competition.core.storage import files
from competition.core.storage.keys import filename
from competition.core.users import callers
from competition.core.web import download_links
from competition.core.web.request import Request
from competition.core.web.service import Service

file = Service("/files/{key:path}/")
links = Service("/downloads/links/")

# The longest path that a link can be for, with its query.
LONGEST_PATH = 2000


class DownloadLink(TypedDict):
    """A link that downloads the reply of one GET request, and works only once."""

    url: str
    expires_at: datetime


class Target(Schema):
    path = node(
        Text(1, LONGEST_PATH),
        description="The path of a GET request that needs a login and changes nothing, relative to"
        " the address of the API, with its query.",
    )


class Link(Schema):
    expires = node(Text(0, 255), missing="", description="The value in the link. Do not change it.")
    session = node(
        Text(0, 255),
        missing="",
        description="The value in the link, if it has one. Do not change it.",
    )
    signature = node(
        Text(0, 255), missing="", description="The value in the link. Do not change it."
    )


@file.get(
    access=PUBLIC,
    query=Link,
    limit="none",
    media_type="application/octet-stream",
    errors=(StorageUnavailable, ServiceUnavailable),
)
def download_file(request: Request, key: str) -> Any:
    """Download a file by a temporary link.

    The signature in the link replaces the API key and the access token.
    """
    link = request.validated
    work = request.work
    stored, stream = files.follow_link(
        work, key, **link, lasts=lambda session_id: bool(callers.living(work, [session_id]))
    )
    response = Response(
        app_iter=FileIter(stream),
        content_type=stored.content_type,
        content_length=stored.size,
        last_modified=stored.created_at,
        conditional_response=True,
    )
    response.headers["Content-Disposition"] = f'attachment; filename="{filename(key)}"'
    # If a page embeds the file instead of saving it, the browser runs no script in the file, such
    # as a script in an SVG.
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    return response


@links.post(access=USER, status=201, body=Target)
def issue_download_link(request: Request) -> DownloadLink:
    """Get a link that downloads the reply of one GET request without headers.

    Send the path of any GET that needs a user and changes nothing, such as
    `/exams/7/analysis/?format=csv`. The link works once, for a minute, and only with this query.
    When the link is used, the request is made on your behalf, with the rights and rate limits that
    you have at that time. A link that is no longer valid returns 401 `invalid_token`. The reply is
    an attachment, and is never cached.
    """
    url, expires_at = download_links.issue(request.work, request.validated["path"])
    return DownloadLink(url=url, expires_at=expires_at)
