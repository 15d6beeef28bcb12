"""The credentials of a development service, stored in ``var/dev.json``.

They are one API key, and a login for each role. All logins have the superadmin's password. The
credentials stay the same after a restart. A credential that is not valid, because the file or the
database was replaced, is created again.
"""

import json
import os
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from competition.cli import superadmins
from competition.core.auth import hashing, passwords
from competition.core.auth.access import CandidateRole, KeyScope, StaffRole
from competition.core.errors import AuthenticationFailed, NotAuthenticated
from competition.core.users import api_keys
from competition.core.users.models import Candidate, Staff, User, candidate_number
from competition.core.work import Work

KEY_NAME = "development"
EMAIL = "superadmin@league.example"
CANDIDATE = "candidate"


def ensure(work: Work, file: Path) -> dict[str, Any]:
    """The credentials, in the form in which dev.json has them.

    They are those that an earlier run wrote to `file`. A credential that is missing or not valid is
    created again. They are of no use outside this machine.
    """
    api_key, password = _known(file)
    return {
        "api_key": _api_key(work, api_key),
        "superadmin": {"email": EMAIL, "password": _password(work, password)},
        "logins": {"superadmin": EMAIL, **_logins(work)},
    }


def _known(file: Path) -> tuple[str, str]:
    """The API key and the password that an earlier run wrote. Both are empty if they can't be
    read."""
    try:
        written = json.loads(file.read_text())
        return str(written["api_key"]), str(written["superadmin"]["password"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", ""


def _api_key(work: Work, known: str) -> str:
    try:
        api_keys.check(work, known)
    except (NotAuthenticated, AuthenticationFailed):
        # With the scope `webhook`, developers can also send backup reports with this key.
        return api_keys.renew(work, KEY_NAME, (KeyScope.CLIENT, KeyScope.WEBHOOK))
    return known


def _password(work: Work, known: str) -> str:
    superadmin = work.db.scalar(select(Staff).where(Staff.email == EMAIL).with_for_update())
    if superadmin is not None and hashing.matches(superadmin.password_hash, known):
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


def _logins(work: Work) -> dict[str, str]:
    """Create the missing accounts of the other roles, set the superadmin's password for all, and
    return their email addresses by role."""
    password = work.db.scalars(select(Staff.password_hash).where(Staff.email == EMAIL)).one()
    roles = [*(role for role in StaffRole if role != StaffRole.SUPERADMIN), CANDIDATE]
    addresses = {str(role): f"{role}@league.example" for role in roles}
    found = work.db.scalars(select(User).where(User.email.in_(addresses.values())))
    known = {user.email: user for user in found}
    for role, email in addresses.items():
        user = known.get(email) or _newcomer(work, role, email)
        user.password_hash = password
    return addresses


def _newcomer(work: Work, role: str, email: str) -> User:
    fields = {
        "email": email,
        "first_name": "Development",
        "last_name": role.capitalize(),
        "phone": "+4900000000",
        "is_email_verified": True,
        "verification": "approved",
        "date_joined": work.now,
        "updated_at": work.now,
    }
    user: User
    if role == CANDIDATE:
        number = work.db.scalar(select(func.next_value(candidate_number)))
        stage = CandidateRole.SCREENING
        user = Candidate(**fields, role=stage, school="Hillside School", number=number)
    else:
        user = Staff(**fields, role=role, occupation="Developer")
    work.db.add(user)
    return user


def write(file: Path, content: dict[str, Any]) -> None:
    """Write the file, readable only for its owner.

    The file is replaced in one step, so that a reader never sees a part of it.
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "w") as stream:
        json.dump(content, stream, indent=2)
        stream.write("\n")
    partial.replace(file)
