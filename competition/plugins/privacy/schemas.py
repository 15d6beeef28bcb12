from competition.core.schemas import Code, Email, Nullable, Password, Schema, Text, node
from competition.core.web.paging import ListQuery, ordered_by, searched
from competition.plugins.privacy.services.deletion import ORDERING


class GuardianConsent(Schema):
    """The field `guardian_consent` of a candidate's registration."""

    name = node(Text(1, 200))
    email = node(Email(new=True))
    version = node(Text(1, 64), description="The version of the text that was shown.")


class OwnDeletion(Schema):
    password = node(Password())
    code = node(Nullable(Code(50, letters=True)), missing=None)
    example = {"password": "rings and ideals"}  # noqa: RUF012  # a constant


class RestoreCode(Schema):
    code = node(Text(1, 100))


class DeletionFilters(ListQuery):
    ordering = ordered_by(ORDERING)
    search = searched("name, email and school")
