from competition.core.schemas import Boolean, Nullable, Schema, Text, Uuid, node
from competition.core.web.forms import Upload
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.verification.services.listing import ORDERING

MEGABYTE = 1024 * 1024

DOCUMENTS = (
    Upload("face_id", 5 * MEGABYTE),
    Upload("id_card", 2 * MEGABYTE, pdf=True),
    Upload("verification_document", 2 * MEGABYTE, pdf=True),
)


class Decision(Schema):
    is_approved = node(Boolean(), missing=False)
    is_rejected = node(Boolean(), missing=False)
    rejection_reason = node(Nullable(Text(0, 1_000, lines=True)), missing=None)
    example = {"is_rejected": True, "rejection_reason": "The card can't be read."}  # noqa: RUF012  # a constant


class RequestFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    is_pending = node(
        Boolean(),
        missing=None,
        description="true: only pending requests; false: only requests that are not pending.",
    )
    is_approved = node(
        Boolean(),
        missing=None,
        description="true: only approved requests; false: only requests that are not approved.",
    )
    is_rejected = node(
        Boolean(),
        missing=None,
        description="true: only rejected requests; false: only requests that are not rejected.",
    )
    has_changes = node(
        Boolean(),
        missing=None,
        description="true: only users whose changed name or school awaits a decision; false: only"
        " other users.",
    )
    is_waiting = node(
        Boolean(),
        missing=None,
        description="true: only users who wait for a decision, about documents or changes; false:"
        " only other users.",
    )
    user_id = node(Nullable(Uuid()), missing=None, description="Only the user with this id.")
    search = searched("name, email and school")
