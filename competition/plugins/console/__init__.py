"""The web pages for staff, at `/console/`."""

from pyramid.config import Configurator

REQUIRES = ("pages",)


def includeme(config: Configurator) -> None:
    # `shows_frames`, because staff review PDF documents in a frame.
    config.add_front_end(
        "console",
        "/console/",
        shows_files=True,
        shows_frames=True,
        kind="staff",
        links={
            "verify": "account",
            "sign_in": "sign-in",
            "password": "password",
            "password_code": "password?step=code",
            "restore": "restore",
            "account": "account",
            "documents": "documents",
            "appeals": "appeals",
            "backups": "house/service",
            "inbox": "notifications",
        },
    )
