"""The pages that emails link to.

A front-end, such as the portal, registers the paths of its pages by subject. In a template,
``link(subject)`` is the URL of such a page, or None if no enabled front-end has a page for the
subject and the recipient's kind of account.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from competition.core.auth.identity import Kind
from competition.core.runtime import Runtime


@dataclass(frozen=True)
class PageLinks:
    """The paths of pages for one kind of account, by subject, such as ``{"results": "/results"}``.
    If `kind` is None, the pages are for all accounts."""

    kind: Kind | None
    paths: Mapping[str, str]


def for_kind(runtime: Runtime, kind: Kind | None) -> Callable[[str], str | None]:
    """A function that returns the URL of the page with a subject for this kind of account, or None
    if there is no such page. If `kind` is None, because there is no account, there are no pages."""
    paths: dict[str, str] = {}
    for each in runtime.catalogue[PageLinks].values():
        if kind is not None and each.kind in (kind, None):
            # The first front-end that has the subject wins.
            paths = {**each.paths, **paths}

    def link(subject: str) -> str | None:
        path = paths.get(subject)
        return None if path is None else runtime.public_url + path

    return link
