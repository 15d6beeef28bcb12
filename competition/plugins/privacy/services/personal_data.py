"""Export and erase the data that this plugin itself stores about a user."""

from typing import Any

from sqlalchemy import delete, select

from competition.core.users.models import User
from competition.core.users.personal_data import personal_data
from competition.core.work import Work
from competition.plugins.privacy.models import Consent, ConsentText, Deletion, Export


def export(work: Work, user: User) -> dict[str, Any]:
    """The guardian's consents, when exports were requested, and when the account will be erased."""
    consents = work.db.execute(
        select(Consent.name, Consent.email, Consent.given_at, ConsentText.text)
        .join(ConsentText, ConsentText.version == Consent.version)
        .where(Consent.candidate_id == user.id)
        .order_by(Consent.given_at)
    ).all()
    given = [dict(each._mapping) for each in consents]
    requests = work.db.execute(
        select(Export.requested_at, Export.ready_at)
        .where(Export.user_id == user.id)
        .order_by(Export.requested_at)
    )
    deletion = work.db.get(Deletion, user.id)
    return {
        "guardian_consent": given[0] if given else None,
        "later_consents": given[1:],
        "exports": [dict(each._mapping) for each in requests],
        "erase_at": None if deletion is None else deletion.erase_at,
    }


@personal_data("privacy", export=export)
def erase(work: Work, user: User) -> None:
    """Delete the exports, the guardian's consents and the requested deletion."""
    # The files of the exports are deleted with the other files of the account.
    work.db.execute(delete(Export).where(Export.user_id == user.id))
    work.db.execute(delete(Consent).where(Consent.candidate_id == user.id))
    work.db.execute(delete(Deletion).where(Deletion.user_id == user.id))
