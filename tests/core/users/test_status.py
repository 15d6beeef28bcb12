"""The status of an account, a generated column (decisions F10)."""

import pytest
from sqlalchemy import select

from competition.core.users.models import ACCOUNT, USERS, User
from competition.core.work import begin

STATES = ("not_submitted", "pending", "approved", "rejected")


def expected(is_active, is_email_verified, verification):
    if not is_active:
        return "deactivated"
    if verification == "pending":
        return "pending"
    return "active" if is_email_verified and verification == "approved" else "inactive"


@pytest.mark.parametrize("verification", STATES)
@pytest.mark.parametrize("is_email_verified", [True, False])
@pytest.mark.parametrize("is_active", [True, False])
def test_the_status_follows_from_the_other_columns(app, is_active, is_email_verified, verification):
    facts = (is_active, is_email_verified, verification)
    person = app.candidate()
    with begin(app.runtime) as work:
        user = work.db.get_one(User, person.id)
        user.is_active, user.is_email_verified, user.verification = facts
        work.db.flush()
        assert user.status == expected(*facts)
        is_verified = is_email_verified and verification == "approved"
        assert user.is_verified == is_verified
        assert (
            work.db.query(User)
            .filter(User.status == user.status, User.is_verified == is_verified, User.id == user.id)
            .one()
        )
        row = work.db.execute(select(*ACCOUNT).where(USERS.c.id == user.id)).one()
        assert dict(row._mapping) == {name: getattr(user, name, None) for name in row._fields}


def test_changing_a_column_changes_the_status(app, statements):
    person = app.staff("admin")
    with begin(app.runtime) as work:
        user = work.db.get_one(User, person.id)
        with statements() as executed:
            user.is_active = False
            work.db.flush()
            assert user.status == "deactivated"
    assert len(executed) == 1
