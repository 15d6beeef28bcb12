"""A season from the first registration to the second leaderboard, step by step."""

import secrets
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial

from competition.demo import accounts, announcements, boards, cast, dashboards, exams, live
from competition.demo.announcements import News
from competition.demo.boards import Board
from competition.demo.cast import Candidate, Part, Person, Staff
from competition.demo.client import Client
from competition.demo.dashboards import Dashboards
from competition.demo.exams import Exam
from competition.demo.mailbox import Mailbox
from competition.demo.problems import PROBLEMS
from competition.demo.ranking import Result
from competition.demo.service import Address
from competition.demo.steps import Steps

# So many problems go to screening; the rest, the hard ones, to the league.
OF_SCREENING = 40


@dataclass(frozen=True)
class Played:
    """`boards` are in the order of the stages."""

    boards: Sequence[Board]
    dashboards: Dashboards


class Season:
    """Everything that is asked of the service goes through its API, but for the mails, which are
    read where a development service puts them.

    The same season can be played again on the same data: `tag` makes new addresses.
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
        """Raises DemoError, of which WrongBoard and WrongDashboard say that a printed rank or score
        is not what the answers are worth."""
        staff = {member.role: member for member in self._hire()}
        admin, moderator = staff["admin"].client, staff["moderator"].client
        submissions = dashboards.count_submissions(moderator)
        screening, league = self._prepare(moderator, admin)
        candidates = self._enrol(staff["manager"].client, count)
        first = self._hold_screening(admin, screening, candidates)
        promoted = self._promote(admin, first, candidates)
        self._announce(staff["manager"].client, promoted)
        second = self._hold_league(admin, league, promoted)
        submissions += len(_sitting(candidates)) + len(promoted)
        played = [first, second]
        return Played(played, self._look_around(moderator, candidates, played, submissions))

    def _hire(self) -> list[Staff]:
        """Approved staff of each role but superadmin, who is there already and lets them in."""
        staff = cast.staff(self._client, self._tag)
        accounts.log_in(self._superadmin)
        superadmin = self._superadmin.client
        each = self._steps.each
        each("Staff register", staff, accounts.register)
        each("Staff prove their email addresses", staff, self._prove_email)
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
        """Approved candidates; one of those who registered never gets so far."""
        candidates = cast.candidates(self._client, self._tag, count)
        each = self._steps.each
        each("Candidates register", candidates, accounts.register)
        candidates = _without(candidates, Part.NEVER_VERIFIES)
        rejected = _only(candidates, Part.REJECTED_FIRST)
        each("Candidates prove their email addresses", candidates, self._prove_email)
        each("Candidates log in", candidates, accounts.log_in)
        generated = _only(candidates, Part.GENERATED_PASSWORD)
        each("Candidates choose passwords of their own", generated, self._change_password)
        each("Candidates upload documents", candidates, accounts.upload_documents)
        each("The manager rejects documents", rejected, partial(accounts.reject, manager))
        each("Rejected candidates send others", rejected, accounts.resubmit)
        each("The manager approves candidates", candidates, partial(accounts.approve, manager))
        return candidates

    def _hold_screening(self, admin: Client, exam: Exam, candidates: Sequence[Candidate]) -> Board:
        sitting = _sitting(candidates)
        on_paper = _only(candidates, Part.ON_PAPER)
        results = self._sit(exam, sitting)
        results += self._steps.each(
            "The admin scores work on paper",
            on_paper,
            lambda candidate: exams.score_by_hand(admin, candidate, exam),
        )
        return self._publish(admin, exam, results, sitting)

    def _promote(
        self, admin: Client, board: Board, candidates: Sequence[Candidate]
    ) -> list[Candidate]:
        """The upper half of the board."""
        by_id = {candidate.id: candidate for candidate in candidates}
        upper = board.rows[: len(board.rows) // 2]
        promoted = [by_id[row.user_id] for row in upper]
        self._steps.each(
            "The admin promotes the upper half",
            promoted,
            lambda candidate: exams.promote(admin, candidate, "league"),
        )
        return promoted

    def _announce(self, manager: Client, promoted: Sequence[Candidate]) -> None:
        """Some have a socket open, and hear of it at once."""
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
                "Candidates hear the announcement live",
                list(zip(sockets, listening, strict=True)),
                lambda pair: live.check_heard(*pair, news),
            )
        each(
            "Candidates read the announcement",
            promoted,
            lambda candidate: announcements.check_received(candidate, news, self._mailbox),
        )

    def _hold_league(self, admin: Client, exam: Exam, candidates: Sequence[Candidate]) -> Board:
        return self._publish(admin, exam, self._sit(exam, candidates), candidates)

    def _sit(self, exam: Exam, candidates: Sequence[Candidate]) -> list[Result]:
        return self._steps.each(
            f"Candidates sit the {exam.stage} exam",
            candidates,
            lambda candidate: exams.sit(candidate, exam),
        )

    def _publish(
        self,
        admin: Client,
        exam: Exam,
        results: Sequence[Result],
        sitting: Sequence[Candidate],
    ) -> Board:
        """A board that is as it has to be, and shows each of `sitting` the own answers."""
        each = self._steps.each
        each(f"The admin concludes {exam.name}", [exam], partial(exams.conclude, admin))
        each(f"The ranks of {exam.name} are published", [exam], partial(boards.publish, admin))
        [board] = each(f"The ranks of {exam.name} are read", [exam], partial(boards.read, admin))
        boards.check(board, exam, results)
        rows = {row.user_id: row for row in board.rows}
        each(
            "Candidates look at their answers",
            sitting,
            lambda candidate: boards.check_own_detail(candidate, exam, rows[candidate.id]),
        )
        return board

    def _look_around(
        self,
        moderator: Client,
        candidates: Sequence[Candidate],
        played: Sequence[Board],
        submissions: int,
    ) -> Dashboards:
        """Candidates see at once what staff sees within a minute: all `submissions`."""
        each = self._steps.each
        own = each(
            "Candidates look at their dashboards",
            candidates,
            lambda candidate: dashboards.read_own(candidate, played),
        )
        by_id = {who.id: shown for who, shown in zip(candidates, own, strict=True)}
        last = played[-1]
        dashboards.check_ranks(by_id, last)
        [of_staff] = each(
            "The moderator waits until all is counted",
            [submissions],
            partial(dashboards.read_of_staff, moderator),
        )
        [overview] = each(
            "The moderator looks at the overview", [moderator], dashboards.read_overview
        )
        return Dashboards(by_id[last.rows[0].user_id], of_staff, overview)

    def _change_password(self, person: Person) -> None:
        accounts.change_password(person, self._mailbox)

    def _prove_email(self, person: Person) -> None:
        accounts.prove_email(person, self._mailbox)


def _sitting(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates who hand in answers in screening."""
    return _without(candidates, Part.ABSENT, Part.ON_PAPER)


def _only(candidates: Sequence[Candidate], part: Part) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.part is part]


def _without(candidates: Sequence[Candidate], *parts: Part) -> list[Candidate]:
    return [candidate for candidate in candidates if candidate.part not in parts]
