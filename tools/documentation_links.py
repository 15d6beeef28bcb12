"""A hook of MkDocs for `make docs`: links to files outside docs/ become their paths, because the
site does not contain these files."""

import re
from typing import Any

# A link to a file of the repository, from a page of docs/ or of a folder in it.
OUTSIDE = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+)([^)#]+)[^)]*\)")


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    depth = page.file.src_uri.count("/")

    def path(link: re.Match[str]) -> str:
        text, up, target = link.groups()
        if up.count("../") <= depth:
            return link[0]
        # The text is often the name of the file, as code.
        return f"`{target}`" if text.strip("`") == target else f"{text} (`{target}`)"

    return OUTSIDE.sub(path, markdown)
