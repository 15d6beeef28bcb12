"""The document as web pages, with everything they need from the service itself."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "drf_spectacular_sidecar"
LOGO = b"https://cdn.redoc.ly/redoc/logo-mini.svg"
# One pixel that is not seen.
NOTHING = b"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

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


def assets() -> Path:
    """The folder of Swagger UI and Redoc. The package is not imported: it would import Django."""
    spec = find_spec(PACKAGE)
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0], "static", PACKAGE)


@cache
def redoc_bundle() -> bytes:
    """Redoc, without the logo that it fetches from elsewhere."""
    bundle = (assets() / "redoc/bundles/redoc.standalone.js").read_bytes()
    return bundle.replace(LOGO, NOTHING)


def swagger(up: str) -> str:
    """`up` leads from where the page was asked for to the folder of the docs."""
    return _page(
        up,
        ("assets/swagger-ui-dist/swagger-ui.css",),
        ("assets/swagger-ui-dist/swagger-ui-bundle.js", "static/swagger.js"),
    )


def redoc(up: str) -> str:
    return _page(up, (), ("redoc-bundle", "static/redoc.js"))


def _page(up: str, styles: tuple[str, ...], scripts: tuple[str, ...]) -> str:
    return PAGE.format(
        styles="".join(f'<link rel="stylesheet" href="{up}{path}">\n' for path in styles),
        scripts="".join(f'<script src="{up}{path}"></script>\n' for path in scripts),
    )
