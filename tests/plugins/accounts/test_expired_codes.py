"""One-time passwords that expired without being used."""

from sqlalchemy import func, select

from competition.core.work import begin
from competition.plugins.accounts.models import OneTimePassword
from competition.plugins.accounts.tasks import delete_expired_codes


def test_only_expired_codes_are_deleted(app):
    people = [app.candidate(is_email_verified=False) for _ in range(2)]
    for person in people:
        app.anonymous.post("/send-email-otp/", {"email": person.email})
        app.otp(person.email)
        app.clock.advance(minutes=6)
    with begin(app.runtime) as work:
        delete_expired_codes(work)
        assert work.db.scalar(select(func.count()).select_from(OneTimePassword)) == 1
        assert work.db.get(OneTimePassword, (people[1].id, "email")) is not None
