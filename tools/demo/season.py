"""A season from the first registration to the second leaderboard, and the beginning of the next
season, step by step."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import Any

from tools.demo import (
    accounts,
    advancement,
    announcements,
    boards,
    cast,
    clarifications,
    corrections,
    dashboards,
    exam_day,
    exams,
    live,
    next_year,
)
from tools.demo.announcements import News
from tools.demo.boards import Board
from tools.demo.cast import Candidate, Part, Person, Staff
from tools.demo.client import Client
from tools.demo.corrections import Correction
from tools.demo.dashboards import Dashboards
from tools.demo.exams import Exam
from tools.demo.mailbox import Mailbox
from tools.demo.problems import PROBLEMS
from tools.demo.ranking import Result
from tools.demo.service import Address
from tools.demo.steps import Steps

# How many problems are for the screening. The remaining problems, which are hard, are for the
# league.
OF_SCREENING = 40
# How many questions the exam for the reader has.
ANOTHER = 12
# The work that the season leaves to the reader: how many newcomers wait for a review of their
# documents, how many candidates have begun the open exam, and how many of those have submitted.
WAITING, BEGUN, DONE = 3, 26, 8
# The parts of candidates with an incident in the screening.
DISTURBED = (Part.CHANGES_DEVICE, Part.MORE_TIME, Part.HANDS_NOTHING_IN)


@dataclass(frozen=True)
class Played:
    """The results of a season. `boards` has the leaderboards, in the order of the stages.
    `advancement` is the preview of the plan.
    """

    correction: Correction
    boards: Sequence[Board]
    advancement: Mapping[str, Any]
    dashboards: Dashboards


class Season:
    """Plays a season through the API of the service. Only emails are read from a folder.

    The season can be played again on the same data, because `tag` makes the email addresses unique.
    """

    def __init__(self, address: Address, client: Client, steps: Steps) -> None:
        self._steps = steps
        self._client = client
        self._tag = secrets.token_hex(3)
        self._ws_url = address.ws_url
        self._mailbox = Mailbox(address.mail_dir)
        self._superadmin = Person(
            "Super", "Admin", address.superadmin_email, client, address.superadmin_password
        )

    def play(self, count: int) -> Played:
        """Play the season with `count` candidates, and the beginning of the next season.

        Raises WrongBoard or WrongDashboard if a rank or score does not match the answers, and
        DemoError for other problems.
        """
        staff = {member.role: member for member in self._hire()}
        admin, moderator = staff["admin"].client, staff["moderator"].client
        submissions = dashboards.count_submissions(moderator)
        screening, league = self._prepare(moderator, admin)
        candidates = self._enrol(staff["manager"].client, count)
        plan_id = self._plan_advancement(admin, screening)
        results = self._hold_screening(staff, screening, plan_id, candidates)
        first, correction = self._correct(admin, screening, results, candidates)
        promoted, advance = self._promote(admin, plan_id, first, candidates)
        self._announce(staff["manager"].client, promoted)
        second = self._hold_league(admin, league, promoted)
        submitted = [(screening, candidate) for candidate in _sitting(candidates)]
        submitted += [(league, candidate) for candidate in promoted]
        self._check_receipts(submitted)
        submissions += len(submitted)
        played = [first, second]
        shown = self._look_around(moderator, candidates, played, submissions)
        over = self._hold_next_year(admin, screening, league, first, candidates)
        another = self._open_another(admin, moderator)
        self._leave_work(admin, over, another, candidates, promoted)
        return Played(correction, played, advance, shown)

    def _hire(self) -> list[Staff]:
        """Register staff of each role. The superadmin, who exists already, approves them."""
        staff = cast.staff(self._client, self._tag, self._superadmin.password)
        accounts.log_in(self._superadmin)
        superadmin = self._superadmin.client
        each = self._steps.each
        each("Staff register", staff, accounts.register)
        each("Staff verify their email addresses", staff, self._prove_email)
        each("Staff log in", staff, accounts.log_in)
        each("Staff upload documents", staff, accounts.upload_documents)
        each("The superadmin approves staff", staff, partial(accounts.approve, superadmin))
        each("The superadmin assigns roles", staff, partial(accounts.assign_role, superadmin))
        return staff

    def _prepare(self, moderator: Client, admin: Client) -> tuple[Exam, Exam]:
        ids = self._steps.each(
            "The moderator writes questions", PROBLEMS, partial(exams.write_question, moderator)
        )
        written = list(zip(ids, PROBLEMS, strict=True))
        papers = [
            ("screening", dict(written[:OF_SCREENING])),
            ("league", dict(written[OF_SCREENING:])),
        ]
        screening, league = self._steps.each(
            "The admin plans exams", papers, lambda paper: exams.plan(admin, *paper)
        )
        self._steps.each(
            "The admin changes a plan", [league], lambda exam: exams.swap(admin, moderator, exam)
        )
        return screening, league

    def _enrol(self, manager: Client, count: int) -> list[Candidate]:
        """Register and approve candidates. One of them never verifies the email address."""
        candidates = cast.candidates(self._client, self._tag, count, self._superadmin.password)
        each = self._steps.each
        register = partial(accounts.register, consent=accounts.guardian_consent(self._client))
        each("Candidates register", candidates, register)
        candidates = _without(candidates, Part.NEVER_VERIFIES)
        rejected = _only(candidates, Part.REJECTED_FIRST)
        each("Candidates verify their email addresses", candidates, self._prove_email)
        each("Candidates log in", candidates, accounts.log_in)
        generated = _only(candidates, Part.GENERATED_PASSWORD)
        each("Candidates change generated passwords", generated, self._change_password)
        each("Candidates upload documents", candidates, accounts.upload_documents)
        each("The manager rejects documents", rejected, partial(accounts.reject, manager))
        each("Rejected candidates upload other documents", rejected, accounts.resubmit)
        each("The manager approves candidates", candidates, partial(accounts.approve, manager))
        return candidates

    def _plan_advancement(self, admin: Client, screening: Exam) -> int:
        [plan_id] = self._steps.each(
            "The admin plans who will advance",
            [screening],
            partial(advancement.plan, admin),
        )
        return plan_id

    def _hold_screening(
        self,
        staff: Mapping[str, Staff],
        exam: Exam,
        plan_id: int,
        candidates: Sequence[Candidate],
    ) -> list[Result]:
        """Hold the screening, with some incidents. One of its answer keys is wrong."""
        each, admin = self._steps.each, staff["admin"].client
        [elsewhere] = _only(candidates, Part.CHANGES_DEVICE)
        [with_more] = _only(candidates, Part.MORE_TIME)
        [left] = _only(candidates, Part.HANDS_NOTHING_IN)
        disturbed = [elsewhere, with_more, left]
        each(
            "The admin gives a candidate extra time",
            [with_more],
            partial(exam_day.give_more_time, admin),
        )
        each(
            "Candidates start the exam and save drafts",
            disturbed,
            lambda person: exam_day.begin(person, exam),
        )
        self._clarify(staff["moderator"].client, exam, disturbed)
        each(
            "The admin can no longer change the plan",
            [plan_id],
            partial(advancement.check_frozen, admin),
        )
        each(
            "A candidate sees the extra time",
            [with_more],
            lambda person: exam_day.check_more_time(person, exam),
        )
        each(
            "The admin gives time back after a false alarm",
            [exam],
            lambda exam: exam_day.ring(admin, exam, disturbed),
        )
        results = self._sit(exam, _without(_sitting(candidates), *DISTURBED))
        results += each(
            "A candidate continues on another device",
            [elsewhere],
            lambda person: exam_day.go_on_elsewhere(person, exam),
        )
        each(
            "Candidates save more drafts",
            [with_more, left],
            lambda person: exam_day.save_the_rest(person, exam),
        )
        results += each(
            "The candidate with extra time submits",
            [with_more],
            lambda person: exams.submit(person, exam),
        )
        results += each(
            "The admin enters a score for work on paper",
            _only(candidates, Part.ON_PAPER),
            lambda candidate: exams.score_by_hand(admin, candidate, exam),
        )
        if exam_day.has_grace(left, exam):
            # The grace period is too long for a demo, so the candidate submits.
            results += each(
                "The last candidate submits",
                [left],
                lambda person: exams.submit(person, exam),
            )
            return results + self._conclude(admin, exam)
        return results + self._conclude(admin, exam, [left])

    def _clarify(self, moderator: Client, exam: Exam, sitting: Sequence[Candidate]) -> None:
        """Answer a question of a candidate who is taking the exam, and make an announcement."""
        each = self._steps.each
        [asker, *_] = sitting
        [asked] = each(
            "A candidate asks about a question",
            [asker],
            lambda person: clarifications.ask(person, exam),
        )
        each(
            "The moderator answers for all candidates",
            [asked],
            lambda asked: clarifications.answer(moderator, exam, asked),
        )
        each(
            "The moderator makes an announcement",
            [exam],
            partial(clarifications.announce, moderator),
        )
        each(
            "Candidates read the answer and the announcement",
            sitting,
            lambda person: clarifications.check_delivered(person, exam, asker),
        )

    def _correct(
        self,
        admin: Client,
        exam: Exam,
        results: Sequence[Result],
        candidates: Sequence[Candidate],
    ) -> tuple[Board, Correction]:
        """Publish the leaderboard with the wrong key, and correct the key. Check both boards."""
        each = self._steps.each
        sitting = _sitting(candidates)
        self._publish(admin, exam, results, sitting)
        [suspected] = each(
            "The analysis suspects a wrong answer key", [exam], partial(corrections.suspect, admin)
        )
        wronged = corrections.wronged(sitting, exam)
        [appeal_id] = each(
            "A candidate appeals",
            [wronged],
            lambda person: corrections.appeal(person, exam),
        )
        [regrade] = each(
            "The admin previews a regrade", [exam], partial(corrections.preview, admin)
        )
        [regraded] = each(
            "The admin applies the regrade",
            [regrade],
            lambda regrade: corrections.apply(admin, exam, regrade),
        )
        right = corrections.corrected(results, sitting, regraded)
        corrections.check_effect(regrade, results, right)
        each(
            "The admin answers the appeal",
            [appeal_id],
            lambda appeal_id: corrections.answer(admin, appeal_id, regrade),
        )
        [answer] = each(
            "The candidate reads the answer",
            [wronged],
            lambda person: corrections.read_answer(person, exam),
        )
        board = self._check_board(admin, regraded, right, sitting)
        [(wrong, key)] = exam.wrong_keys.items()
        return board, Correction(exam.problems[wrong], key, suspected, regrade["effect"], answer)

    def _promote(
        self, admin: Client, plan_id: int, board: Board, candidates: Sequence[Candidate]
    ) -> tuple[list[Candidate], Mapping[str, Any]]:
        """Apply the plan. Returns the candidates who advance, and the preview."""
        each = self._steps.each
        [shown] = each(
            "The admin previews the advancement", [plan_id], partial(advancement.preview, admin)
        )
        [promoted] = each(
            "The admin applies the plan",
            [plan_id],
            lambda plan_id: advancement.apply(admin, plan_id, board.rows, candidates),
        )
        return promoted, shown

    def _announce(self, manager: Client, promoted: Sequence[Candidate]) -> None:
        """Announce the league, and check the emails and notifications. Some candidates have an open
        socket, on which the announcement is pushed."""
        news = News(self._tag)
        each = self._steps.each
        listening = promoted[: live.MOST_LISTENERS]
        with ExitStack() as opened:
            sockets = each(
                "Candidates open sockets",
                listening,
                lambda candidate: opened.enter_context(live.listen(self._ws_url, candidate)),
            )
            each(
                "The manager announces the league",
                [news],
                partial(announcements.broadcast, manager),
            )
            each(
                "Candidates receive the announcement live",
                list(zip(sockets, listening, strict=True)),
                lambda pair: live.check_pushed(*pair, news),
            )
        each(
            "Candidates read the announcement",
            promoted,
            lambda candidate: announcements.check_received(candidate, news, self._mailbox),
        )

    def _hold_league(self, admin: Client, exam: Exam, candidates: Sequence[Candidate]) -> Board:
        results = self._sit(exam, candidates)
        self._conclude(admin, exam)
        return self._publish(admin, exam, results, candidates)

    def _check_receipts(self, submitted: Sequence[tuple[Exam, Candidate]]) -> None:
        [(_, anybody), *_] = submitted
        keys = exam_day.public_keys(anybody.client)
        self._steps.each(
            "Candidates check their receipts",
            submitted,
            lambda pair: exam_day.check_receipt(pair[1], pair[0], keys),
        )

    def _sit(self, exam: Exam, candidates: Sequence[Candidate]) -> list[Result]:
        return self._steps.each(
            f"Candidates take the {exam.stage} exam",
            candidates,
            lambda candidate: exams.sit(candidate, exam),
        )

    def _conclude(self, admin: Client, exam: Exam, left: Sequence[Candidate] = ()) -> list[Result]:
        """Conclude the exam. Returns the results of candidates whose drafts the service submits."""
        [results] = self._steps.each(
            f"The admin concludes {exam.name}",
            [exam],
            lambda exam: exams.conclude(admin, exam, left),
        )
        return results

    def _publish(
        self,
        admin: Client,
        exam: Exam,
        results: Sequence[Result],
        sitting: Sequence[Candidate],
    ) -> Board:
        self._steps.each(f"The admin publishes {exam.name}", [exam], partial(boards.publish, admin))
        return self._check_board(admin, exam, results, sitting)

    def _check_board(
        self,
        admin: Client,
        exam: Exam,
        results: Sequence[Result],
        sitting: Sequence[Candidate],
    ) -> Board:
        """Read and check the leaderboard, and the details that each of `sitting` sees."""
        each = self._steps.each
        [board] = each(
            f"The admin reads the ranks of {exam.name}", [exam], partial(boards.read, admin)
        )
        boards.check(board, exam, results)
        rows = {row.user_id: row for row in board.rows}
        each(
            "Candidates read their own results",
            sitting,
            lambda candidate: boards.check_own_detail(candidate, exam, rows[candidate.id]),
        )
        return board

    def _hold_next_year(
        self,
        admin: Client,
        screening: Exam,
        league: Exam,
        board: Board,
        candidates: Sequence[Candidate],
    ) -> Exam:
        """Open the next season, and hold its first screening, a copy of the league's exam. Returns
        the latest screening that is published.

        If the service has unfinished business of somebody else, or of a season that was played
        before, the next season is not opened.
        """
        each, superadmin = self._steps.each, self._superadmin.client
        name = next_year.name_after(superadmin)
        [can_open] = each(
            "The admin finishes the year",
            [name],
            lambda name: next_year.finish(superadmin, admin, name),
        )
        if not can_open:
            return screening
        each(
            "The superadmin opens the next season",
            [name],
            lambda name: superadmin.post("/seasons/", {"name": name}),
        )
        consent = accounts.guardian_consent(self._client)
        each(
            "Candidates take part again",
            candidates,
            lambda person: next_year.join(person, consent),
        )
        each(
            "Candidates read last year's ranks",
            candidates,
            lambda person: next_year.check_last_year(person, screening, board),
        )
        [copied] = each(
            "The admin copies an exam of last year", [league], partial(next_year.copy, admin)
        )
        sitting = _sitting(candidates)
        results = self._sit(copied, sitting)
        self._conclude(admin, copied)
        self._publish(admin, copied, results, sitting)
        return copied

    def _open_another(self, admin: Client, moderator: Client) -> Exam:
        """Open an exam for the reader, who can sit it with the candidate's login that the demo
        prints.

        The exam has new questions. With questions of the screening, the answers on the screening's
        leaderboard would be hidden until this exam is over.
        """
        problems = [each for each in PROBLEMS if each.slug not in exams.WRONG_KEYS][:ANOTHER]
        ids = self._steps.each(
            "The moderator writes more questions",
            problems,
            partial(exams.write_question, moderator),
        )
        paper = dict(zip(ids, problems, strict=True))
        [another] = self._steps.each(
            "The admin opens an exam for you", [paper], partial(exams.plan, admin, "screening")
        )
        return another

    def _leave_work(
        self,
        admin: Client,
        over: Exam,
        another: Exam,
        candidates: Sequence[Candidate],
        promoted: Sequence[Candidate],
    ) -> None:
        """Leave at least one task of each kind for staff, so that the console's first page shows
        all kinds.
        """
        each = self._steps.each
        count = len(candidates) + 1 + WAITING
        newcomers = cast.candidates(self._client, self._tag, count, self._superadmin.password)
        newcomers = newcomers[-WAITING:]
        register = partial(accounts.register, consent=accounts.guardian_consent(self._client))
        each("Newcomers register", newcomers, register)
        each("Newcomers verify their email addresses", newcomers, self._prove_email)
        each("Newcomers log in", newcomers, accounts.log_in)
        each("Newcomers upload documents", newcomers, accounts.upload_documents)
        others = _without(_sitting(candidates), Part.GENERATED_PASSWORD)
        others = [person for person in others if person not in promoted]
        # Candidates of one school come first. They begin the exam and don't submit, so they are
        # silent later.
        begun = sorted(others, key=lambda person: person.school != cast.SCHOOLS[0])[:BEGUN]
        each(
            "Candidates begin the open exam", begun, lambda person: exam_day.begin(person, another)
        )
        each("Some of them submit", begun[-DONE:], lambda person: exams.submit(person, another))
        asker = begun[-DONE - 1 : -DONE]
        each(
            "Another one asks a question", asker, lambda person: clarifications.ask(person, another)
        )
        each(
            "A candidate appeals again", begun[-1:], lambda person: corrections.doubt(person, over)
        )
        each(
            "The admin plans the next round",
            ["league"],
            lambda stage: exams.announce(admin, stage),
        )

    def _look_around(
        self,
        moderator: Client,
        candidates: Sequence[Candidate],
        played: Sequence[Board],
        submissions: int,
    ) -> Dashboards:
        """Read and check all dashboards. Wait until the dashboard of staff has counted all
        `submissions`, which takes up to a minute.
        """
        each = self._steps.each
        own = each(
            "Candidates open their dashboards",
            candidates,
            lambda candidate: dashboards.read_own(candidate, played),
        )
        by_id = {person.id: shown for person, shown in zip(candidates, own, strict=True)}
        last = played[-1]
        dashboards.check_ranks(by_id, last)
        [of_staff] = each(
            "The moderator opens the dashboard of staff",
            [submissions],
            partial(dashboards.read_of_staff, moderator),
        )
        [overview] = each("The moderator opens the overview", [moderator], dashboards.read_overview)
        return Dashboards(by_id[last.rows[0].user_id], of_staff, overview)

    def _change_password(self, person: Person) -> None:
        accounts.change_password(person, self._mailbox)

    def _prove_email(self, person: Person) -> None:
        accounts.prove_email(person, self._mailbox)


def _sitting(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates who take the screening in the service."""
    return _without(candidates, Part.ABSENT, Part.ON_PAPER)


def _only(candidates: Sequence[Candidate], part: Part) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.part is part]


def _without(candidates: Sequence[Candidate], *parts: Part) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.part not in parts]
