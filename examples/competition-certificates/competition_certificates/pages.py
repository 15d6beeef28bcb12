"""A web page for checking a certificate. It needs no API key."""

import jinja2
from competition.core.web.html import page
from competition.core.web.request import Request

from competition_certificates import services

templates = jinja2.Environment(
    loader=jinja2.PackageLoader("competition_certificates"), autoescape=True
)


@page("/certificates/{code}/")
def check(request: Request, code: str) -> str:
    certificate = services.by_code(request.work, code)
    return templates.get_template("check.html").render(certificate=certificate)
