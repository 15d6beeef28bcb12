"""The web pages for candidates, at `/`."""

from pyramid.config import Configurator

REQUIRES = ("pages",)


def includeme(config: Configurator) -> None:
    config.add_front_end(
        "portal",
        "/",
        worker="sw.js",
        offline=("exam/exam.js", "around.js"),
        manifest="app.webmanifest",
        kind="candidate",
        links={
            "verify": "verify",
            "sign_in": "sign-in",
            "password": "password",
            "password_code": "password?step=code",
            "restore": "restore",
            "account": "account",
            "documents": "documents",
            "exams": "exams",
            "results": "results",
            "inbox": "inbox",
        },
    )
