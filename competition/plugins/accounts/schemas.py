from typing import Any

import colander

from competition.core.messages import Language
from competition.core.schemas import (
    REQUIRED,
    Boolean,
    Choice,
    Code,
    Email,
    Nullable,
    Password,
    Phone,
    Schema,
    Text,
    Uuid,
    array,
    drop,
    node,
)
from competition.core.users.logins import LONGEST_TYPED, address_of

# The largest number of slips in one request: each code takes 16 ms to hash.
MOST_SLIPS = 50

PASSWORDS = ("password", "password2")


def passwords_required(schema: colander.SchemaNode, values: dict[str, Any]) -> None:
    """Require both passwords, unless one is to be generated."""
    if values["generate_password"]:
        return
    refusal = colander.Invalid(schema)
    for name in PASSWORDS:
        if values[name] is None:
            refusal[name] = REQUIRED
    if refusal.children:
        raise refusal


class SchoolSearch(Schema):
    search = node(
        Text(2, 200), description="Words of the school's name, with at least two characters."
    )


class Registration(Schema):
    """The fields that candidates and staff have in common at registration."""

    email = node(Email(new=True))
    first_name = node(Text(1, 150))
    last_name = node(Text(1, 150))
    phone = node(Phone())
    password = node(Password(), missing=None)
    password2 = node(Password(), missing=None)
    generate_password = node(Boolean(), missing=False)
    language = node(Nullable(Choice(Language)), missing=None)

    validator = staticmethod(passwords_required)

    def deserialize(self, cstruct: Any = colander.null) -> Any:
        """Ignore the passwords if `generate_password` is set, even invalid ones (decisions D7)."""
        if self._generates(cstruct):
            cstruct = {name: value for name, value in cstruct.items() if name not in PASSWORDS}
        return super().deserialize(cstruct)

    def _generates(self, cstruct: Any) -> bool:
        asked = cstruct.get("generate_password", colander.null)
        try:
            return bool(self["generate_password"].deserialize(asked))
        except colander.Invalid:
            # The invalid value is reported together with the other fields' errors.
            return False


class CandidateRegistration(Registration):
    slot = "accounts.candidate_registration"
    school = node(Text(1, 200))


class StaffRegistration(Registration):
    occupation = node(Text(0, 150), missing="")


class EmailProof(Schema):
    email = node(Email())
    otp = node(Code(20))


class CodeRequest(Schema):
    """`resend` makes no difference: a new code is sent either way (decisions D11)."""

    email = node(Email())
    resend = node(Boolean(), missing=False)


class PasswordCodeRequest(Schema):
    email = node(Email())


class NewPassword(EmailProof):
    new_password = node(Password())
    confirm_password = node(Password())


class EmailOrLogin(Email):
    """An email address or, for an account without email, the login of its slip. The value is the
    account's email in both cases."""

    def __init__(self) -> None:
        super().__init__()
        # Without `format: email`, because a login has no @.
        self.schema = {"type": "string", "maxLength": self.longest}

    def read(self, node: colander.SchemaNode, value: Any) -> str:
        is_short = isinstance(value, str) and len(value) <= LONGEST_TYPED
        return super().read(node, address_of(value) if is_short else value)


class Credentials(Schema):
    email = node(
        EmailOrLogin(),
        description="The email address or, for an account without email, the login of its slip. In"
        " a login, upper and lower case, hyphens and spaces make no difference.",
    )
    password = node(Password(pasted=True))
    # The OpenAPI document gives no default: generators of TypeScript clients make properties with a
    # default mandatory, so that existing clients would no longer compile.
    shared_device = node(Boolean(), missing=drop)


class SlipOrder(Schema):
    candidates = array(
        node(Uuid()),
        MOST_SLIPS,
        shortest=1,
        description="The ids of candidates without email.",
    )
    renew = node(
        Boolean(),
        missing=False,
        description="True to replace the codes of candidates who have one. This ends their"
        " sessions.",
    )
    # The OpenAPI document gives no default, as for `shared_device`.
    unused = node(
        Boolean(),
        missing=drop,
        description="True to issue no code for candidates who have signed in, even with `renew`."
        " Their sessions go on.",
    )


class RefreshToken(Schema):
    refresh = node(Text(1, 4096))


class SecondFactorSetup(Schema):
    """The password is optional within 5 minutes of the login."""

    optional = True
    password = node(Password(), missing=None)


class SecondFactorCode(Schema):
    """A code from the app, or a recovery code. Only its letters and digits matter."""

    code = node(Code(50, letters=True))


class RecoveryCodeRenewal(SecondFactorCode):
    password = node(Password())


class ChallengeAnswer(SecondFactorCode):
    challenge = node(Text(1, 100))
    # The email address or login that the user typed together with the password.
    email = node(EmailOrLogin(), missing=None)
