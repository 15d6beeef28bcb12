"""The document as web pages, with everything they need from the service itself.

Swagger UI and Redoc are in `static/vendor/`, where `make vendor` puts them.
"""

import json
from collections.abc import Mapping
from html import escape
from pathlib import Path

from competition.core.runtime import API_PREFIX
from competition.core.web.health import problems
from competition.core.web.pages import page
from competition.core.web.request import Request

# Both pages put styles into the page, and Redoc searches in a worker that it makes of a blob.
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
<title>Competition Service</title>
<link rel="icon" href="data:,">
{styles}</head>
<body>
<div id="page"></div>
{scripts}</body>
</html>
"""


def swagger(up: str) -> str:
    """`up` leads from where the page was asked for to the folder of the docs."""
    return _page(
        up,
        ("static/vendor/swagger-ui-dist/swagger-ui.css",),
        ("static/vendor/swagger-ui-dist/swagger-ui-bundle.js", "static/swagger.js"),
    )


def redoc(up: str) -> str:
    return _page(up, (), ("static/vendor/redoc/redoc.standalone.js", "static/redoc.js"))


def _page(up: str, styles: tuple[str, ...], scripts: tuple[str, ...]) -> str:
    return PAGE.format(
        styles="".join(f'<link rel="stylesheet" href="{up}{path}">\n' for path in styles),
        scripts="".join(f'<script src="{up}{path}"></script>\n' for path in scripts),
    )


SHEET = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; max-width: 45rem; margin: 3rem auto }}
dt {{ font-weight: bold; margin-top: 1rem }} dd {{ margin: 0 }}
td, th {{ padding: 0 1rem 0 0; text-align: left }}
</style>
</head>
<body>
<h1>{title}</h1>
{body}
</body>
</html>
"""
# Below the API's prefix, and what each is for.
DOCUMENTS = {
    "docs/swagger/": "every endpoint, to be tried out",
    "docs/redoc/": "the same, to be read",
    "docs/spec/": "the same for programs: OpenAPI 3.1",
    "docs/events/": "live pushes for programs: AsyncAPI 3",
}


def index(name: str, up: str) -> str:
    """The documents that there are; `up` leads to what is below the API's prefix."""
    return SHEET.format(title=escape(name), body=_documents(up))


@page("/")
def home(request: Request) -> str:
    """What a person finds who opens the address of the service: what it is, how it is, what to
    read, and on a development service who can log in."""
    runtime = request.registry.runtime
    service = runtime.service
    prefix = f"{API_PREFIX}/".removeprefix("/")
    troubles = [problem for _, problem in problems(request.work) if problem]
    parts = [
        f"<p>{escape(service.description or 'An API for programs.')}</p>",
        _list({f'<a href="{prefix}ready/">How it is</a>': escape(" ".join(troubles) or "Well.")}),
        _documents(prefix),
    ]
    if service.environment == "development":
        parts.append(_for_development(service.var))
    parts.append(f"<p>Questions: {escape(service.support_email)}</p>")
    return SHEET.format(title=escape(service.name), body="\n".join(parts))


def _documents(up: str) -> str:
    return _list({f'<a href="{up}{path}">{path}</a>': why for path, why in DOCUMENTS.items()})


def _list(rows: Mapping[str, str]) -> str:
    entries = "\n".join(f"<dt>{term}</dt><dd>{told}</dd>" for term, told in rows.items())
    return f"<dl>\n{entries}\n</dl>"


def _for_development(var: Path) -> str:
    """From what `competition up` wrote. The passwords stay there: a page can be seen by others."""
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
        f"<h2>Development</h2>\n{_list({'Mails': f'files in {escape(mails)}'})}\n"
        f"<table>\n<tr><th>role</th><th>who can log in</th></tr>\n{rows}\n</table>\n"
        f"<p>The API key and the password of all of them are in {escape(str(file))}.</p>"
    )
