"""Endpoints for seasons: list, rename, open and join a season, and undo an opening."""

from competition.core.auth.access import USER, StaffRole, candidate, outranks_or_equals, staff
from competition.core.errors import IdempotencyKeyReused, Invalid, NotFound
from competition.core.schemas import IdempotencyHeaders, NoFields
from competition.core.web.request import Request
from competition.core.web.service import Service
from competition.plugins.seasons import presenters, schemas
from competition.plugins.seasons.errors import SeasonOpen
from competition.plugins.seasons.services import joining, listing, opening

SUPERADMIN = staff(StaffRole.SUPERADMIN)

seasons = Service("/seasons/")
preview = Service("/seasons/preview/")
undoing = Service("/seasons/undo/")
joining_season = Service("/seasons/join/")
season = Service("/seasons/{season_id:int}/")


@seasons.get(access=USER, query=schemas.SeasonList, limit="seasons")
def list_seasons(request: Request) -> presenters.SeasonList:
    """List the seasons, the newest first.

    One season is current. `exams` and `candidates` are in the replies to verified staff with the
    role moderator or higher.
    """
    caller = request.work.identity
    has_counts = (
        caller.kind == "staff"
        and caller.is_verified
        and outranks_or_equals(caller.role, StaffRole.MODERATOR)
    )
    page = listing.page_of_seasons(request.work, request.validated, has_counts=has_counts)
    return presenters.season_list(page, request.public_url, has_counts=has_counts)


@seasons.post(
    access=SUPERADMIN,
    status=201,
    headers=IdempotencyHeaders,
    body=schemas.NewSeason,
    errors=(SeasonOpen, Invalid, IdempotencyKeyReused, NotFound),
)
def open_season(request: Request) -> presenters.SeasonName:
    """Close the current season and open the next one.

    All candidates get the role screening. The stages that they had reached stay in `seasons` of
    their profiles. If `join` is "confirm", candidates have to join the season before they can take
    its exams (`POST /seasons/join/`). If it is "everybody", all candidates count as joined. The
    closed season can be read, and nothing in it can be changed. The opening can be undone within 24
    hours (`POST /seasons/undo/`).

    The reply is 400 `season_open`, with `blockers`, as long as something in the current season is
    not finished. With an `Idempotency-Key`, the request can be sent again, for example if the reply
    was lost.
    """
    given = request.validated
    opened = opening.open_season(
        request.work, given["name"], given["join"], given["idempotency_key"]
    )
    return presenters.season_name(opened)


@preview.post(access=SUPERADMIN, body=schemas.NewSeason, errors=(Invalid,))
def preview_season(request: Request) -> presenters.OpeningPreview:
    """Find out what keeps the next season from being opened, whom it would concern, and whether the
    opening of the current season can be undone. Nothing is changed."""
    work, given = request.work, request.validated
    listing.check_name(work, given["name"])
    return presenters.OpeningPreview(
        blockers=opening.find_blockers(work),
        warnings=opening.find_warnings(work),
        candidates=opening.count(work, given["join"]),
        undo=opening.find_undoing(work),
    )


@undoing.post(access=SUPERADMIN, body=NoFields, errors=(Invalid,))
def undo_season(request: Request) -> presenters.SeasonName:
    """Undo the opening of the current season, within 24 hours and until a candidate starts one of
    its exams.

    The season before it is current again, and all candidates get the stages back that they had.
    Candidates who have joined or registered since then count as joined in that season, and new
    exams move to it.
    """
    return presenters.season_name(opening.undo(request.work))


@joining_season.post(access=candidate(verified=False), body=schemas.Joining, errors=(Invalid,))
def join_season(request: Request) -> presenters.Joined:
    """Join the current season, and confirm or change your school and school year.

    A repeated request changes nothing more. If your identity is approved, a new school counts once
    staff have approved it, and the year can only become higher.
    """
    return presenters.joined(joining.join(request.work, request.validated))


@season.patch(
    access=staff(StaffRole.ADMIN), body=schemas.SeasonName, guard=listing.locked, errors=(Invalid,)
)
def rename_season(request: Request, season_id: int) -> presenters.SeasonName:
    """Rename a season. The name has to be unique."""
    renamed = listing.rename(request.work, request.target, request.validated["name"])
    return presenters.season_name(renamed)
