from competition.core.pagination import ListQuery
from competition.core.schemas import Boolean, Nullable, Schema, Text, node
from competition.core.uploads import Upload

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


class RequestFilters(ListQuery):
    is_pending = node(Boolean(), missing=None)
    is_approved = node(Boolean(), missing=None)
    is_rejected = node(Boolean(), missing=None)
    search = node(Text(0, 255), missing="")
