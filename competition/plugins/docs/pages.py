"""The document as web pages, with everything they need from the service itself.

Swagger UI and Redoc are in `static/vendor/`, where `make vendor` puts them.
"""

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
