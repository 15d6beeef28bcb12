"""The credentials of a development service: an API key and a superadmin, in ``var/dev.json``.

What the file says stays true over restarts. Where it isn't true any more, because the file or the
database is another one, the credentials are made anew.
"""

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import select

from competition.core.auth import api_keys, passwords
from competition.core.errors import AuthenticationFailed, NotAuthenticated
from competition.core.users import superadmins
from competition.core.users.models import Staff
from competition.core.work import Work

KEY_NAME = "development"
EMAIL = "superadmin@league.example"


@dataclass(frozen=True)
class Credentials:
    """Credentials for development, worth nothing outside this machine."""

    api_key: str
    email: str
    password: str


def read(file: Path) -> Credentials | None:
    """The credentials that an earlier run wrote, if they can be read."""
    try:
        written = json.loads(file.read_text())
        account = written["superadmin"]
        return Credentials(str(written["api_key"]), account["email"], str(account["password"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def ensure(work: Work, known: Credentials | None) -> Credentials:
    """The `known` credentials as far as they are good, else new ones."""
    return Credentials(
        api_key=_api_key(work, known.api_key if known else ""),
        email=EMAIL,
        password=_password(work, known.password if known else ""),
    )


def _api_key(work: Work, known: str) -> str:
    try:
        api_keys.check(work, known)
    except (NotAuthenticated, AuthenticationFailed):
        return api_keys.renew(work, KEY_NAME)
    return known


def _password(work: Work, known: str) -> str:
    superadmin = work.db.scalar(select(Staff).where(Staff.email == EMAIL).with_for_update())
    if superadmin is not None and passwords.matches(superadmin.password_hash, known):
        return known
    password = passwords.generate()
    if superadmin is not None:
        superadmins.set_password(work, superadmin, password)
    else:
        superadmins.create(
            work,
            email=EMAIL,
            password=password,
            first_name="Development",
            last_name="Superadmin",
            phone="+4900000000",
        )
    return password


def write(file: Path, content: dict[str, Any]) -> None:
    """Write the file, readable for the owner alone. Whoever reads it meanwhile sees the old file or
    the new one, whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")
    partial.replace(file)
