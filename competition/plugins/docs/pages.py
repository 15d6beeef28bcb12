"""The page for developers, and web pages that show the OpenAPI document.

Pages load everything from the service itself. Swagger UI and Redoc are in `static/vendor/`, where
`make vendor` puts them.
"""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

from competition.core.messages import worded
from competition.core.runtime import API_PREFIX
from competition.core.web.health import problems
from competition.core.web.request import Request
from competition.plugins.docs import DocsSettings

# Swagger UI and Redoc use inline styles. Redoc searches in a worker that it creates from a blob.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src blob:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
{head}</head>
<body>
{body}</body>
</html>
"""
STYLE = """<style>
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 3rem auto }
dt { font-weight: bold; margin-top: 1rem } dd { margin: 0 }
td, th { padding: 0 1rem 0 0; text-align: left }
</style>
"""


def swagger(up: str) -> str:
    """The page of Swagger UI. `up` is the relative path from the page to the folder of the docs."""
    return _page(
        up,
        ("static/vendor/swagger-ui-dist/swagger-ui.css",),
        ("static/vendor/swagger-ui-dist/swagger-ui-bundle.js", "static/swagger.js"),
    )


def redoc(up: str) -> str:
    """The page of Redoc. `up` is the relative path from the page to the folder of the docs."""
    return _page(up, (), ("static/vendor/redoc/redoc.standalone.js", "static/redoc.js"))


def _page(up: str, styles: tuple[str, ...], scripts: tuple[str, ...]) -> str:
    loaded = "".join(f'<script src="{up}{path}"></script>\n' for path in scripts)
    return PAGE.format(
        title="Competition Service",
        head="".join(f'<link rel="stylesheet" href="{up}{path}">\n' for path in styles),
        body=f'<div id="page"></div>\n{loaded}',
    )


# Paths below the API's prefix, with descriptions.
DOCUMENTS = {
    "docs/swagger/": "Try out the API in your browser (Swagger UI).",
    "docs/redoc/": "Read the API reference (Redoc).",
    "docs/spec/": "The API reference for programs (OpenAPI 3.1).",
    "docs/events/": "The reference of live updates over WebSockets, for programs (AsyncAPI 3).",
}
# Pages of the guides, by their name in the folder docs of the repository.
GUIDES = {
    "client-guide": "A client's guide, from an API key to a leaderboard.",
    "reference/errors": "All error codes, with what a client should do.",
    "tutorials/first-plugin": "Your first plugin, from an empty folder to a page in the console.",
    "plugins": "Writing a plugin.",
    "tutorials/one-server": "One server, from an empty machine to https.",
    "operating": "Operating the service.",
    "glossary": "The words of the league.",
}


def index(name: str, up: str) -> str:
    """A page with links to the documents. `up` is the relative path to the API's prefix."""
    return _sheet(name, _documents(up))


def home(request: Request) -> str:
    """The page for developers, at `/developers/`, or at `/` if the portal is disabled.

    It shows the description and status of the service, links to the documents and guides and, on a
    development service, the accounts for logging in.
    """
    runtime = request.registry.runtime
    service = runtime.service
    # The path to the root is relative, and right with and without the final slash.
    up = "../" if request.ends_in_slash and request.path != "/" else ""
    prefix = up + f"{API_PREFIX}/".removeprefix("/")
    status = " ".join(worded(problem) for _, problem in problems(request.work) if problem)
    parts = [
        f"<p>{escape(service.description or 'This service is an API for programs.')}</p>",
        _list({f'<a href="{prefix}ready/">Status</a>': escape(status or "All is well.")}),
        _documents(prefix),
        _guides(runtime.settings[DocsSettings].site_url),
    ]
    if service.environment == "development":
        parts.append(_for_development(service.var))
    parts.append(f"<p>If you have questions, write to {escape(service.support_email)}.</p>")
    return _sheet(service.name, "\n".join(parts))


def _sheet(title: str, body: str) -> str:
    title = escape(title)
    return PAGE.format(title=title, head=STYLE, body=f"<h1>{title}</h1>\n{body}\n")


def _documents(up: str) -> str:
    return _list({f'<a href="{up}{path}">{path}</a>': text for path, text in DOCUMENTS.items()})


def _guides(site_url: str) -> str:
    if site_url:
        links = {
            f'<a href="{escape(site_url)}/{page}.html">{page}</a>': text
            for page, text in GUIDES.items()
        }
        return f"<h2>Guides</h2>\n{_list(links)}"
    files = {f"docs/{page}.md": text for page, text in GUIDES.items()}
    return f"<h2>Guides, in the repository of the service</h2>\n{_list(files)}"


def _list(rows: Mapping[str, str]) -> str:
    entries = "\n".join(f"<dt>{term}</dt><dd>{text}</dd>" for term, text in rows.items())
    return f"<dl>\n{entries}\n</dl>"


def _for_development(var: Path) -> str:
    """The part of the page that only a development service shows: where emails are written, and the
    accounts for logging in.

    It is read from the file that `competition up` writes, and is empty if the file is missing or
    damaged. It does not show the passwords, because other people may be able to open the page.
    """
    file = var / "dev.json"
    try:
        written = json.loads(file.read_text())
        mails, logins = str(written["mail_dir"]), dict(written["logins"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""
    rows = "\n".join(
        f"<tr><td>{escape(role)}</td><td>{escape(email)}</td></tr>"
        for role, email in logins.items()
    )
    return (
        f"<h2>Development</h2>\n"
        f"<p>Emails are written to files in {escape(mails)}.</p>\n"
        f"<p>You can log in with these accounts. Their password, and an API key, are in"
        f" {escape(str(file))}.</p>\n"
        f"<table>\n<tr><th>Role</th><th>Email address</th></tr>\n{rows}\n</table>"
    )
