from uuid import UUID

from competition.core.mail.templates import Context, mail_template
from competition.core.runtime import ServiceSettings
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.work import Work
from competition.plugins.privacy import PrivacySettings
from competition.plugins.privacy.services import deletion as deletions
from competition.plugins.privacy.services import exports


@mail_template("privacy.export_ready")
def export_ready(work: Work, recipient: str, *, export_id: str) -> Context | None:
    url = exports.link(work, UUID(export_id))
    if url is None:
        return None
    return {
        "url": url,
        "hours": work.settings[PrivacySettings].export_hours,
        "withheld": exports.withheld(work, UUID(export_id)),
    }


@mail_template("privacy.deletion")
def deletion(work: Work, recipient: str, *, user_id: str) -> Context | None:
    """The notice of a requested deletion, so that an owner who did not request it can cancel it.
    None if the deletion has been cancelled."""
    found = deletions.new_code(work, UUID(user_id))
    if found is None:
        return None
    waiting, code = found
    return {
        "erase_at": waiting.erase_at,
        "code": code,
        "remains": personal_data.remains(work, work.db.get_one(User, waiting.user_id)),
        "support": work.settings[ServiceSettings].support_email,
    }
