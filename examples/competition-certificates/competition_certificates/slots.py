"""Fields in the replies of other plugins."""

from collections.abc import Collection
from uuid import UUID

from competition.core.slots import fill_slot
from competition.core.work import Work
from competition.plugins.people.offered_slots import CANDIDATE_DETAIL

from competition_certificates import presenters, services


@fill_slot(CANDIDATE_DETAIL, "certificates")
def certificates(
    work: Work, user_ids: Collection[UUID]
) -> dict[UUID, list[presenters.CertificateItem]]:
    found = services.valid_certificates(work, user_ids)
    return {user_id: [presenters.item(each) for each in found[user_id]] for user_id in found}
