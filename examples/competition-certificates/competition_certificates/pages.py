"""The page for people who check a certificate: it needs no key."""

import jinja2
from competition.core.web.pages import page
from competition.core.web.request import Request

from competition_certificates import services

templates = jinja2.Environment(
    loader=jinja2.PackageLoader("competition_certificates"), autoescape=True
)


@page("/certificates/{code}/")
def check(request: Request, code: str) -> str:
    certificate = services.by_code(request.work, code)
    return templates.get_template("check.html").render(certificate=certificate)
