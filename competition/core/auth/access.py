"""Roles and ranks, and Access: the callers that may use an endpoint.

Each endpoint declares one Access. `competition.core.web.policy` checks it, the OpenAPI document
describes it, and ``competition routes`` prints it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from uuid import UUID

from pyramid.config import Configurator
from pyramid.exceptions import ConfigurationError

from competition.core.auth.identity import Identity, Kind
from competition.core.catalogue import OwnName, catalogue_of
from competition.core.errors import (
    ApiError,
    PermissionDenied,
    SecondFactorRequired,
    UnverifiedCandidate,
    UnverifiedStaff,
)
from competition.core.messages import Message


class CandidateRole(StrEnum):
    """The roles of candidates, in the order in which they advance."""

    SCREENING = "screening"
    LEAGUE = "league"
    FINAL = "final"
    WINNER = "winner"


class StaffRole(StrEnum):
    """The roles of staff, from the lowest rank to the highest; a sponsor has no rank."""

    VOLUNTEER = "volunteer"
    MODERATOR = "moderator"
    ADMIN = "admin"
    MANAGER = "manager"
    SUPERADMIN = "superadmin"
    SPONSOR = "sponsor"


class KeyScope(StrEnum):
    """The scopes of API keys: the API for clients, the endpoints that scripts report to, and the
    metrics for a scraper."""

    CLIENT = "client"
    WEBHOOK = "webhook"
    METRICS = "metrics"


# The names of all roles, for texts in the language of the reader.
ROLE_NAMES: dict[str, Message] = {
    CandidateRole.SCREENING: Message("screening"),
    CandidateRole.LEAGUE: Message("league"),
    CandidateRole.FINAL: Message("final"),
    CandidateRole.WINNER: Message("winner"),
    StaffRole.VOLUNTEER: Message("volunteer"),
    StaffRole.MODERATOR: Message("moderator"),
    StaffRole.ADMIN: Message("admin"),
    StaffRole.MANAGER: Message("manager"),
    StaffRole.SUPERADMIN: Message("superadmin"),
    StaffRole.SPONSOR: Message("sponsor"),
}

RANKED = tuple(role for role in StaffRole if role is not StaffRole.SPONSOR)


def rank(role: str) -> int:
    """The position of a role in the staff hierarchy, from 0 for the lowest rank. It is -1 for roles
    without a rank: those of sponsors and candidates."""
    return RANKED.index(StaffRole(role)) if role in RANKED else -1


def outranks_or_equals(role: str, required: StaffRole) -> bool:
    return rank(role) >= rank(required)


def has_rank(identity: Identity, required: StaffRole) -> bool:
    return identity.kind == "staff" and outranks_or_equals(identity.role, required)


@dataclass(frozen=True)
class Rule:
    """A group of callers whom an Access admits: either candidates or staff.

    Staff are admitted if they have at least the `rank`, or any rank and the `permission`.
    Candidates are admitted if they have one of the `roles`. If `verified` is true, callers must be
    verified. If `second_factor` is true, a session without a required second factor is rejected.
    """

    kind: Kind
    rank: StaffRole = StaffRole.VOLUNTEER
    roles: frozenset[CandidateRole] = frozenset(CandidateRole)
    verified: bool = True
    permission: str = ""
    second_factor: bool = True

    def refusal(self, identity: Identity) -> type[ApiError] | None:
        """The error for an identity of the rule's kind; None if the rule admits it."""
        if self.second_factor and identity.lacks_second_factor:
            return SecondFactorRequired
        if identity.kind == "staff":
            if not outranks_or_equals(identity.role, self.rank) and not self._is_granted(identity):
                return PermissionDenied
        elif identity.role not in self.roles:
            return PermissionDenied
        if self.verified and not identity.is_verified:
            return UnverifiedStaff if self.kind == "staff" else UnverifiedCandidate
        return None

    def _is_granted(self, identity: Identity) -> bool:
        return rank(identity.role) >= 0 and self.permission in identity.permissions


@dataclass(frozen=True)
class Access:
    """The callers that may use an endpoint.

    Without rules, callers need not be logged in. If `api_key` is true, they need an API key with
    the `scope`.
    """

    api_key: bool = True
    scope: KeyScope = KeyScope.CLIENT
    rules: tuple[Rule, ...] = ()

    def __or__(self, other: "Access") -> "Access":
        """The Access for callers whom this Access or the other one admits.

        Raises ConfigurationError if one of them has no rules, and so admits callers who are not
        logged in.
        """
        if not (self.rules and other.rules):
            raise ConfigurationError(
                "Only accesses for candidates or staff can be combined with |, not"
                f" {self.description} | {other.description}."
            )
        return replace(self, rules=self.rules + other.rules)

    @property
    def needs_user(self) -> bool:
        return bool(self.rules)

    def refusal(self, identity: Identity) -> type[ApiError] | None:
        """The error for this identity, or None if one of the rules admits it.

        A rule checks the kind of profile, the second factor, the role and the verification, in this
        order. If several rules reject the identity, the error that the caller can resolve wins.
        """
        if not self.rules:
            return None
        found = [rule.refusal(identity) for rule in self.rules if rule.kind == identity.kind]
        if None in found:
            return None
        order = (PermissionDenied, SecondFactorRequired, UnverifiedStaff, UnverifiedCandidate)
        return max(filter(None, found), key=order.index, default=PermissionDenied)

    def errors(self) -> Iterator[type[ApiError]]:
        """Every error that `refusal` can return."""
        if self.rules:
            yield PermissionDenied
        for rule in self.rules:
            if rule.verified:
                yield UnverifiedStaff if rule.kind == "staff" else UnverifiedCandidate
            if rule.second_factor and rule.kind == "staff":
                yield SecondFactorRequired

    @cached_property
    def description(self) -> str:
        if not self.api_key:
            return "public"
        if not self.rules:
            return "API key"
        return " or ".join(_describe(rule) for rule in self.rules)


def _describe(rule: Rule) -> str:
    verified = "verified " if rule.verified else ""
    if rule.kind == "staff":
        granted = f", or with the permission {rule.permission}" if rule.permission else ""
        return f"{verified}staff, {rule.rank} or higher{granted}"
    if rule.roles == frozenset(CandidateRole):
        return f"{verified}candidate"
    roles = ", ".join(role for role in CandidateRole if role in rule.roles)
    return f"{verified}candidate ({roles})"


def candidate(*roles: CandidateRole, verified: bool = True) -> Access:
    """Access for candidates in these stages, or in all stages if none is given.

    If `verified` is False, candidates whose email address or documents are not verified yet are
    admitted, too.
    """
    return Access(
        rules=(Rule("candidate", roles=frozenset(roles or CandidateRole), verified=verified),)
    )


def staff(
    lowest: StaffRole = StaffRole.VOLUNTEER,
    *,
    verified: bool = True,
    permission: str = "",
    second_factor: bool = True,
) -> Access:
    """Access for staff of at least this rank.

    Staff of any rank with the `permission`, which ``config.add_staff_permission`` declares, are
    admitted too. If `second_factor` is False, the session need not have the second factor that the
    rank requires.
    """
    rule = Rule(
        "staff",
        rank=lowest,
        verified=verified,
        permission=permission,
        second_factor=second_factor,
    )
    return Access(rules=(rule,))


PUBLIC = Access(api_key=False)
API_KEY = Access()
WEBHOOK = Access(scope=KeyScope.WEBHOOK)
USER = candidate(verified=False) | staff(verified=False)


@dataclass(frozen=True)
class Permission(OwnName):
    """A right that an operator grants to individual members of staff, in addition to their rank."""

    name: str
    description: str


def add_staff_permission(config: Configurator, name: str, description: str) -> None:
    """Configuration directive ``config.add_staff_permission``: declare a permission, which
    endpoints name in ``staff(…, permission=name)``. `name` begins with the plugin's name."""
    catalogue_of(config).add(Permission, name, Permission(name, description))


def check_self_or_manager(identity: Identity, user_id: UUID) -> None:
    """Check that the caller is this user, or a manager or higher.

    Raises PermissionDenied, SecondFactorRequired or UnverifiedStaff otherwise.
    """
    refusal = staff(StaffRole.MANAGER).refusal(identity)
    if identity.user_id != user_id and refusal is not None:
        raise refusal


def includeme(config: Configurator) -> None:
    config.add_directive("add_staff_permission", add_staff_permission)
