"""Store, list and answer appeals, and check who may appeal and who may read an appeal."""

from datetime import timedelta
from typing import Any

from sqlalchemy import DateTime, Select, exists, func, or_, select, type_coerce, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import joinedload

from competition.core import audit
from competition.core.auth.access import StaffRole
from competition.core.days import LeagueTime
from competition.core.errors import Invalid, NotFound
from competition.core.lists import Page, Query, contains_every_word, paginate
from competition.core.messages import Message
from competition.core.seasons import current as seasons
from competition.core.seasons.blockers import Blocker, season_blocker, season_warning
from competition.core.todo import Waiting, todo, waiting
from competition.core.users import accounts
from competition.core.users.models import User
from competition.core.users.personal_data import ERASED, personal_data
from competition.core.work import Work
from competition.plugins.appeals import AppealSettings
from competition.plugins.appeals.errors import AppealsClosed
from competition.plugins.appeals.models import Appeal
from competition.plugins.exams.models import Exam
from competition.plugins.exams.services import papers, rows
from competition.plugins.notifications.events import Notify
from competition.plugins.regrades.models import Regrade
from competition.plugins.scores.models import Score
from competition.plugins.sittings.models import Submission

WITH_EXAM_AND_CANDIDATE = (
    joinedload(Appeal.exam, innerjoin=True),
    joinedload(Appeal.candidate, innerjoin=True),
)
ORDERING = {"id": Appeal.id, "created_at": Appeal.created_at, "status": Appeal.status}


def check_open(work: Work, exam_id: int) -> Exam:
    """The exam, locked, after checking that the caller may appeal against its results now.

    The lock keeps a season from being closed between this check and the commit.

    Raises NotFound if there is no such exam, and SeasonClosed if its season is closed. Raises
    AppealsClosed if the exam is not published, if the time to appeal is over, or if the caller has
    neither a submission nor a score.
    """
    exam = rows.locked_against_deletion(work, exam_id)
    took_part = or_(
        *(
            exists().where(row.exam_id == exam_id, row.candidate_id == work.identity.user_id)
            for row in (Submission, Score)
        )
    )
    if (
        exam.published_at is None
        or work.now > exam.published_at + _period(work)
        or not work.db.scalar(select(took_part))
    ):
        raise AppealsClosed
    return exam


def _period(work: Work) -> timedelta:
    """How long after the first publication of an exam candidates can appeal."""
    return timedelta(days=work.settings[AppealSettings].days)


def appeal(work: Work, exam: Exam, question_id: int | None, text: str) -> Appeal:
    """Store an appeal of the caller.

    Raises Invalid if the question is not in the paper, or if the caller already has an open appeal
    about the same subject: this question, or the whole result.
    """
    papers.check_question(work, exam.id, question_id)
    stored = work.db.scalar(
        insert(Appeal)
        .values(
            exam_id=exam.id,
            candidate_id=work.identity.user_id,
            question_id=question_id,
            text=text,
            status="open",
            created_at=work.now,
        )
        .on_conflict_do_nothing()
        .returning(Appeal.id)
    )
    if stored is None:
        raise Invalid.field(
            "question",
            Message(
                "You have already appealed about this. Wait for the answer before you appeal again."
            ),
        )
    return _one(work, stored)


def page_of_exam(work: Work, exam_id: int, query: Query) -> Page[Appeal]:
    """A page of the appeals in an exam. Candidates see their own appeals, staff see all."""
    return _page(work, select(Appeal).where(Appeal.exam_id == exam_id), query)


def page_of_all(work: Work, query: Query) -> Page[Appeal]:
    """A page of the appeals in the exams of a season that are not deleted: of the season in the
    query, or of the current season. Candidates see their own appeals, staff see all.

    Raises Invalid if there is no such season.
    """
    is_of_season = seasons.wanted(work, query["season"], Exam)
    in_exams = Appeal.exam_id.in_(select(Exam.id).where(Exam.deleted_at.is_(None), is_of_season))
    return _page(work, select(Appeal).where(in_exams), query)


def _page(work: Work, statement: Select[Appeal], query: Query) -> Page[Appeal]:
    statement = statement.options(*WITH_EXAM_AND_CANDIDATE)
    if work.identity.kind == "candidate":
        statement = statement.where(Appeal.candidate_id == work.identity.user_id)
    if query["status"]:
        statement = statement.where(Appeal.status == query["status"])
    if query["candidate"]:
        statement = statement.where(Appeal.candidate_id == query["candidate"])
    text = Appeal.text + " " + func.coalesce(Appeal.answer, "")
    statement = statement.where(*contains_every_word(query["search"], text))
    key, created = Appeal.id, Appeal.created_at
    return paginate(work, statement, query, key=key, created=created, ordering=ORDERING)


def answer(work: Work, appeal: Appeal, given: dict[str, Any]) -> Appeal:
    """Answer an open appeal, and notify the candidate.

    If two answers arrive at the same time, only the first is stored. If the candidate's account was
    erased, only the decision is stored, without the text, and nobody is notified.

    Raises Invalid if the appeal is already answered, or if the exam has no such regrade. Raises
    SeasonClosed if the exam's season is closed.
    """
    rows.check_current(work.db.get_one(Exam, appeal.exam_id))
    if not accounts.keep_from_erasure(work, [appeal.candidate_id]):
        given = {**given, "answer": None}
    regrade_id = given["regrade"]
    if regrade_id is not None:
        # Lock the regrade: as long as it is only a preview, it could be deleted in the meantime.
        shared = {"read": True, "key_share": True}
        regrade = work.db.get(Regrade, regrade_id, with_for_update=shared)
        if regrade is None or regrade.exam_id != appeal.exam_id:
            raise Invalid.field(
                "regrade", Message("This exam has no regrade with this id. Check the id.")
            )
    answered = work.db.scalar(
        update(Appeal)
        .where(Appeal.id == appeal.id, Appeal.status == "open")
        .values(
            status=given["status"],
            answer=given["answer"],
            regrade_id=regrade_id,
            answered_at=work.now,
        )
        .returning(Appeal.id)
    )
    if answered is None:
        raise Invalid(Message("This appeal has already been answered. Read it again."))
    audit.record(
        work,
        "appeal.answer",
        target=appeal.candidate_id,
        subject=f"appeal {appeal.id}",
        new=given,
        erasable=True,
    )
    if given["answer"] is not None:
        title = Message("Your appeal was rejected")
        if given["status"] == "accepted":
            title = Message("Your appeal was accepted")
        work.emit(Notify(work, [appeal.candidate_id], title, given["answer"]))
    return _one(work, appeal.id)


def notify_of_deletion(work: Work, exam_id: int) -> None:
    """Notify the candidates who have an open appeal in an exam that is being deleted. Nobody finds
    these appeals any longer, so nobody will answer them. The exam must be locked."""
    is_open = (Appeal.exam_id == exam_id, Appeal.status == "open")
    appealed = work.db.scalars(select(Appeal.candidate_id).where(*is_open).distinct()).all()
    there = accounts.keep_from_erasure(work, appealed) if appealed else ()
    if there:
        message = Message(
            "The organisers have deleted the exam ${exam}, so there will be no decision on your"
            " appeal. If you have questions, write to them.",
            exam=work.db.get_one(Exam, exam_id).title,
        )
        work.emit(Notify(work, there, Message("There will be no decision on your appeal"), message))


def get(work: Work, appeal_id: int) -> Appeal:
    """The appeal. Raises NotFound if there is none with this id."""
    appeal = work.db.get(Appeal, appeal_id)
    if appeal is None:
        raise NotFound(Message("There is no appeal with this id. Check the id."))
    return appeal


def readable(work: Work, appeal_id: int) -> Appeal:
    """The appeal with its exam and candidate. Raises NotFound if there is no such appeal, if it is
    another candidate's, or if its exam was deleted."""
    appeal = work.db.get(Appeal, appeal_id, options=WITH_EXAM_AND_CANDIDATE)
    if (
        appeal is None
        or appeal.exam.deleted_at is not None
        or (work.identity.kind == "candidate" and appeal.candidate_id != work.identity.user_id)
    ):
        raise NotFound(Message("There is no appeal with this id. Check the id."))
    return appeal


@season_blocker("appeals")
def unanswered_appeals(work: Work) -> list[Blocker]:
    found = work.db.execute(
        select(Appeal.id, Exam.title)
        .join(Exam, Exam.id == Appeal.exam_id)
        .where(Appeal.status == "open", Exam.deleted_at.is_(None), Exam.is_current)
        .order_by(Appeal.id)
    )
    return [Blocker(row.id, row.title) for row in found]


@season_warning("appeals")
def appeals_could_follow(work: Work) -> str | None:
    """Name the exams whose period for appeals still runs, because nobody can appeal once the season
    is closed."""
    period = _period(work)
    end = type_coerce(Exam.published_at + period, DateTime(timezone=True))
    found = work.db.execute(
        select(Exam.title, end)
        .where(end >= work.now, Exam.deleted_at.is_(None), Exam.is_current)
        .order_by(end, Exam.id)
    ).all()
    if not found:
        return None
    zone = work.runtime[LeagueTime].zone
    exams = [
        Message(
            "${exam} (until ${time})",
            exam=title,
            time=f"{until.astimezone(zone):%Y-%m-%d %H:%M %Z}",
        )
        for title, until in found
    ]
    return Message(
        "Candidates can still appeal against the results of: ${exams}. Once the next season is"
        " open, they can't. Open it later if they should have all of this time.",
        exams=exams,
    )


@todo("appeals.open", rank=StaffRole.ADMIN, link="appeals")
def open_appeals(work: Work) -> Waiting:
    made = select(Appeal.created_at, Appeal.id).join(Exam, Exam.id == Appeal.exam_id)
    is_open = (Appeal.status == "open", Exam.deleted_at.is_(None))
    return waiting(work, made.where(*is_open), link="appeals/{}")


def _one(work: Work, appeal_id: int) -> Appeal:
    """The appeal with its exam and candidate, read again from the database."""
    return work.db.get_one(
        Appeal, appeal_id, options=WITH_EXAM_AND_CANDIDATE, populate_existing=True
    )


def export(work: Work, user: User) -> list[dict[str, Any]]:
    """The user's appeals with the answers, the earliest first."""
    columns = (Appeal.exam_id, Appeal.question_id, Appeal.text, Appeal.status, Appeal.answer)
    found = work.db.execute(
        select(*columns, Appeal.created_at)
        .where(Appeal.candidate_id == user.id)
        .order_by(Appeal.id)
    )
    return [dict(row._mapping) for row in found]


@personal_data(
    "appeals",
    export=export,
    kind="candidate",
    remains=Message("the fact that you appealed, and the decision, without the texts"),
)
def erase(work: Work, user: User) -> None:
    """Erase the texts of the user's appeals, and the answers to them. The appeals and the decisions
    stay on record."""
    work.db.execute(
        update(Appeal).where(Appeal.candidate_id == user.id).values(text=ERASED, answer=None),
        execution_options={"synchronize_session": False},
    )
