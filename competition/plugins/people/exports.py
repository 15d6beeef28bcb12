"""The exports of candidates, staff and the audit trail."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Select, and_

from competition.core.audit import ERASED_DOMAIN, AuditEntry
from competition.core.exports import Table
from competition.core.lists import Column, Query, in_period, order_of
from competition.core.users.columns import COUNTED_SCHOOL
from competition.core.users.models import USERS
from competition.core.work import Work
from competition.plugins.people.services import audit_trail, listing

AUDIT = AuditEntry.metadata.tables["audit"]
IS_VERIFIED = (USERS.c.verification == "approved").label("verified")
# The columns have the headers that an import of candidates reads, in the order that a school's list
# has.
CANDIDATES = (
    USERS.c.first_name,
    USERS.c.last_name,
    COUNTED_SCHOOL.label("school"),
    USERS.c.email,
    USERS.c.external_id,
    USERS.c.phone,
    USERS.c.year,
    USERS.c.group,
    IS_VERIFIED,
    USERS.c.role,
    USERS.c.status,
    USERS.c.id.label("candidate_id"),
    USERS.c.date_joined,
)
STAFF = (
    USERS.c.email,
    USERS.c.first_name,
    USERS.c.last_name,
    USERS.c.phone,
    USERS.c.occupation,
    USERS.c.role,
    IS_VERIFIED,
    USERS.c.status,
    USERS.c.id.label("user_id"),
    USERS.c.date_joined,
)


# Whether the account has not been erased, and is not waiting for its erasure.
STAYS = and_(
    ~USERS.c.waits_for_deletion, ~USERS.c.email.endswith(f"@{ERASED_DOMAIN}", autoescape=True)
)
ACTORS, TARGETS = USERS.alias("actor"), USERS.alias("target")
ENTRIES = (
    AUDIT.c.id,
    AUDIT.c.created_at,
    AUDIT.c.actor_id,
    (ACTORS.c.first_name + " " + ACTORS.c.last_name).label("actor_name"),
    AUDIT.c.action,
    AUDIT.c.subject,
    AUDIT.c.target_id,
    (TARGETS.c.first_name + " " + TARGETS.c.last_name).label("target_name"),
    *(AUDIT.c[name] for name in ("old", "new", "address", "request_id", "hash")),
)


def candidates(work: Work, query: Query) -> Table:
    """Export the candidates.

    The filters are those of the list of candidates. Accounts that have been erased or are waiting
    for their deletion are left out. `school` is the school that staff have approved.
    """
    found = listing.found_candidates(query, CANDIDATES)
    return _accounts(found, query, listing.CANDIDATE_ORDERING)


def staff(work: Work, query: Query) -> Table:
    """Export the staff.

    The filters are those of the list of staff. Accounts that have been erased or are waiting for
    their deletion are left out.
    """
    return _accounts(listing.found_staff(query, STAFF), query, listing.STAFF_ORDERING)


def _accounts(
    found: Select[*tuple[Any, ...]], query: Query, ordering: Mapping[str, Column]
) -> Table:
    key, created = USERS.c.id, USERS.c.date_joined
    rows = found.where(STAYS, *in_period(query, created))
    return Table(rows, order_of(query, key, created, ordering))


def audit(work: Work, query: Query) -> Table:
    """Export the audit trail.

    The filters are those of the list of entries. Lists and objects in `old` and `new` are JSON.
    """
    created = AUDIT.c.created_at
    rows = (
        audit_trail.found_entries(query, ENTRIES)
        .outerjoin(ACTORS, ACTORS.c.id == AUDIT.c.actor_id)
        .outerjoin(TARGETS, TARGETS.c.id == AUDIT.c.target_id)
        .where(*in_period(query, created))
    )
    return Table(rows, order_of(query, AUDIT.c.id, created, audit_trail.ORDERING))
