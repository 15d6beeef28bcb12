"""Build replies with leaderboards, and with the answers behind a candidate's rank."""

from datetime import datetime
from typing import Any, NotRequired, TypedDict
from uuid import UUID

from sqlalchemy import Row

from competition.core.auth.access import CandidateRole
from competition.core.lists import Page, Pagination
from competition.core.messages import Language
from competition.core.work import Work
from competition.plugins.exams.models import FrozenPaper, RankingPolicy, Stage
from competition.plugins.leaderboard import NameSettings, models
from competition.plugins.leaderboard.models import Board, Entry
from competition.plugins.scores.presenters.scores import number
from competition.plugins.sittings.presenters import AskedQuestion, asked_question, selected_option


class AvailableLeaderboard(TypedDict):
    stage: Stage
    round: int
    stage_display: str
    exam_id: int
    exam_title: str
    total_candidates: int
    average_score: float


class PublishedSnapshot(TypedDict):
    """A publication. `published_leaderboards` are the leaderboards that it computed; all others are
    the same as in the previous snapshot."""

    snapshot_id: int
    published_at: datetime
    season: int
    published_leaderboards: list[AvailableLeaderboard]


class SnapshotList(TypedDict):
    results: list[PublishedSnapshot]
    pagination: Pagination


class LeaderboardSummary(TypedDict):
    snapshot_id: int
    published_at: datetime
    available_leaderboards: list[AvailableLeaderboard]


class ExamDetails(TypedDict):
    id: int
    title: str
    stage: Stage
    round: int
    scheduled_date: datetime
    concluded_at: datetime
    ranking: RankingPolicy
    total_questions: int
    total_candidates: int
    average_score: float


class RankedCandidate(TypedDict):
    """A candidate on a leaderboard. `id` is the candidate's number, `user_id` the UUID that all
    other endpoints use. A setting of the service may shorten `full_name`."""

    id: int
    user_id: UUID
    full_name: str
    school: str
    role: CandidateRole


class Ranking(TypedDict):
    """A candidate's rank and score. `seconds_used` is only present if the leaderboard ranks equal
    scores by time."""

    rank: int
    candidate: RankedCandidate
    score: float
    seconds_used: NotRequired[float]


class Leaderboard(TypedDict):
    exam_details: ExamDetails
    top_three: list[Ranking]
    remaining_candidates: list[Ranking]
    pagination: Pagination


class ReviewedAnswer(AskedQuestion):
    """A question with the candidate's answer and the right answer. `accepted` lists every value of
    `selected_option` that counts as right now. If the question no longer counts, `accepted` is
    empty and `is_correct` is null. `withheld` is true as long as another exam that asks the
    question can still be taken. In that time, `correct_answer`, `accepted` and `is_correct` are
    null, and staff see an empty `selected_option`. As long as any right answer is withheld, other
    candidates see none of this candidate's answers: `selected_option` is empty, and `is_correct` is
    null. If `answer_hidden` is true, the empty `selected_option` does not say whether the answer is
    blank."""

    correct_answer: str | None
    accepted: list[str] | None
    selected_option: str
    answer_hidden: bool
    is_correct: bool | None
    withheld: bool


class CandidatePerformance(Ranking):
    submissions: list[ReviewedAnswer]
    participated_at: datetime


class PerformanceDetail(TypedDict):
    exam_details: ExamDetails
    candidate_performance: CandidatePerformance


def summary(found: models.Summary) -> LeaderboardSummary:
    return LeaderboardSummary(
        snapshot_id=found.snapshot_id,
        published_at=found.published_at,
        available_leaderboards=[_available(board) for board in found.boards],
    )


def snapshot_list(page: Page[models.Published], url: str) -> SnapshotList:
    return SnapshotList(
        results=[
            PublishedSnapshot(
                snapshot_id=each.snapshot_id,
                published_at=each.published_at,
                season=each.season_id,
                published_leaderboards=[_available(board) for board in each.boards],
            )
            for each in page.items
        ],
        pagination=page.pagination(url),
    )


def _available(board: Board | Row[Any]) -> AvailableLeaderboard:
    return AvailableLeaderboard(
        stage=board.stage,
        round=board.round,
        stage_display=f"{board.stage}_{board.round}",
        exam_id=board.exam_id,
        exam_title=board.exam_title,
        total_candidates=board.total_candidates,
        average_score=number(board.average_score),
    )


def leaderboard(work: Work, page: models.BoardPage, url: str) -> Leaderboard:
    return Leaderboard(
        exam_details=exam_details(page.board),
        top_three=[_ranking(work, entry) for entry in page.top],
        remaining_candidates=[_ranking(work, entry) for entry in page.others.items],
        pagination=page.others.pagination(url),
    )


def performance(
    work: Work, found: models.Performance, language: Language | None
) -> PerformanceDetail:
    """A candidate's result, with the field `spoken` of its questions in this language."""
    return PerformanceDetail(
        exam_details=exam_details(found.board),
        candidate_performance=CandidatePerformance(
            **_ranking(work, found.entry),
            submissions=_reviewed(found.paper, found, language) if found.paper else [],
            participated_at=found.entry.participated_at,
        ),
    )


def exam_details(board: Row[Any]) -> ExamDetails:
    return ExamDetails(
        id=board.exam_id,
        title=board.exam_title,
        stage=board.stage,
        round=board.round,
        scheduled_date=board.scheduled_date,
        concluded_at=board.concluded_at,
        ranking=board.ranking,
        total_questions=board.total_questions,
        total_candidates=board.total_candidates,
        average_score=number(board.average_score),
    )


def _ranking(work: Work, entry: Entry | Row[Any]) -> Ranking:
    ranked = Ranking(
        rank=entry.rank,
        candidate=RankedCandidate(
            id=entry.candidate_number,
            user_id=entry.user_id,
            full_name=shown_name(work, entry.full_name),
            school=entry.school,
            role=CandidateRole(entry.role),
        ),
        score=number(entry.score),
    )
    if entry.seconds_used is not None:
        ranked["seconds_used"] = float(entry.seconds_used)
    return ranked


def shown_name(work: Work, full_name: str) -> str:
    """The name in the form of the setting `competition.names.shown`. A single word, such as the
    replacement of an erased name, is not changed."""
    form = work.settings[NameSettings].shown
    if form == "full":
        return full_name
    first, *others = full_name.split()
    if not others:
        return full_name
    start = first if form == "short" else f"{first[0]}."
    return f"{start} {others[-1][0]}."


def _reviewed(
    paper: FrozenPaper, found: models.Performance, language: Language | None
) -> list[ReviewedAnswer]:
    reviewed = []
    for question, meant, accepted, answer in zip(
        paper.questions_in(language), paper.answer_key, found.key, found.answers, strict=True
    ):
        is_withheld = question["id"] in found.still_asked
        is_hidden = question["id"] in found.hidden
        # If several options count as right, show the option of the frozen answer key, if it is one
        # of them.
        right = meant if meant in accepted or not accepted else accepted[0]
        is_marked = bool(accepted) and not is_hidden and not is_withheld
        reviewed.append(
            ReviewedAnswer(
                **asked_question(question),
                correct_answer=None if is_withheld else right,
                accepted=None if is_withheld else [selected_option(each) for each in accepted],
                selected_option="" if is_hidden else selected_option(answer),
                answer_hidden=is_hidden,
                is_correct=answer in accepted if is_marked else None,
                withheld=is_withheld,
            )
        )
    return reviewed
