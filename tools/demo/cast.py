"""The people of the season: fictional names, and the part that each candidate plays."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tools.demo.client import Client

# The analysis needs 20 submissions to suspect a wrong key.
FEWEST_CANDIDATES = 24
# A candidate's twin comes this many candidates later, so that the two don't submit at the same
# time.
TWIN = 9

FIRST_NAMES = (
    "Zoë", "Łukasz", "Ngozi", "Søren", "Мария", "José", "Ayşe", "明", "Aoife", "Ελένη", "Priya",
    "Björn", "Fatima", "Noémie", "Đorđe", "Tomás", "Ingrid", "Kwame", "Γιώργος", "Hana", "さくら",
    "Inés", "Олег", "Thảo", "Matteo", "Jürgen", "Ömer", "Emma", "Dmytro", "Saoirse", "Luca",
)  # fmt: skip
LAST_NAMES = (
    "Okafor", "Nowak", "Müller", "Nguyễn", "Иванова", "García", "Şahin", "李", "O'Brien",
    "Papadopoulos", "Sharma", "Lindström", "Haddad", "Lefèvre", "Petrović", "Svoboda", "Mensah",
    "Kovács", "D'Angelo", "Bergström-Hall", "Шевченко", "Tanaka", "Åkesson", "Fernández Ruiz",
    "Smith", "van der Berg", "Çelik",
)  # fmt: skip
SCHOOLS = (
    "Hillside School", "Gymnasium am Schloßpark", "Liceo Galileo", "Collège Saint-Éloi",
    "I Liceum Ogólnokształcące", "Школа № 7", "Colegio Peñalara", "Riverside Academy",
    "Þingvellir School", "Lycée Émilie du Châtelet", "Atatürk Lisesi",
)  # fmt: skip
# Role and occupation.
STAFF = (
    ("volunteer", "Student"),
    ("moderator", "Teacher of mathematics"),
    ("admin", "Head of the league"),
    ("manager", "Registrar"),
    ("sponsor", "Bookshop"),
)


@dataclass
class Person:
    """A person with an account.

    Before the login, `id` is empty and `client` has no token. A generated password is empty until
    its email has been read.
    """

    first_name: str
    last_name: str
    email: str
    client: Client
    password: str = field(default_factory=lambda: _password(), repr=False)
    id: str = ""
    phone: str = "+44 20 7946 0000"

    @property
    def full_name(self) -> str:
        return f"{self.first_name} {self.last_name}"


@dataclass
class Staff(Person):
    role: str = ""
    occupation: str = ""


class Part(StrEnum):
    """The part that a candidate plays: the situation that the demo shows with this candidate."""

    ORDINARY = "ordinary"
    GENERATED_PASSWORD = "has the password generated"
    REJECTED_FIRST = "uploads other documents after a rejection"
    NEVER_VERIFIES = "never verifies the email address"
    ABSENT = "does not come to the exam"
    ON_PAPER = "works on paper and is scored by hand"
    CHANGES_DEVICE = "loses a device in the exam and goes on with another one"
    MORE_TIME = "has extra time in every exam"
    HANDS_NOTHING_IN = "only saves answers, which the service submits"
    TWIN = "answers like another candidate"


@dataclass
class Candidate(Person):
    """A candidate. `mind` determines the answers. `receipts` has the receipts, by the id of the
    exam.
    """

    school: str = ""
    part: Part = Part.ORDINARY
    mind: int = 0
    receipts: dict[int, Mapping[str, Any]] = field(default_factory=dict)


def staff(client: Client, tag: str, password: str | None = None) -> list[Staff]:
    """One member of staff of each role. `tag` makes the addresses unique for each run."""
    return [
        Staff(
            first_name=FIRST_NAMES[-1 - index],
            last_name=LAST_NAMES[-1 - index],
            email=f"{role}+{tag}@staff.example",
            client=client,
            password=password or _password(),
            role=role,
            occupation=occupation,
        )
        for index, (role, occupation) in enumerate(STAFF)
    ]


def candidates(
    client: Client, tag: str, count: int, password: str | None = None
) -> list[Candidate]:
    """Candidates with the same password, or each with a password of their own."""
    return [_candidate(client, tag, index, password) for index in range(count)]


def _candidate(client: Client, tag: str, index: int, password: str | None) -> Candidate:
    part = part_of(index)
    return Candidate(
        first_name=_turn(FIRST_NAMES, index),
        last_name=_turn(LAST_NAMES, index),
        email=f"pupil{index:04}+{tag}@school.example",
        client=client,
        password=password or _password(),
        # These phone numbers are reserved for fiction. Two candidates with the same number would
        # look like one person.
        phone=f"+44 7700 900{index % 1000:03}",
        school=_turn(SCHOOLS, index),
        part=part,
        mind=index - TWIN if part is Part.TWIN else index,
    )


def part_of(index: int) -> Part:
    """The part that a candidate plays. Each part occurs among the first ten candidates, and some
    occur again later."""
    match index:
        case 1:
            return Part.REJECTED_FIRST
        case 2:
            return Part.NEVER_VERIFIES
        case 5:
            return Part.ON_PAPER
        case 6:
            return Part.CHANGES_DEVICE
        case 7:
            return Part.MORE_TIME
        case 8:
            return Part.HANDS_NOTHING_IN
    if index % 10 == TWIN:
        return Part.TWIN
    if index % 20 == 3:
        return Part.GENERATED_PASSWORD
    if index % 25 == 4:
        return Part.ABSENT
    return Part.ORDINARY


def _password() -> str:
    return secrets.token_urlsafe(12)


def _turn(texts: Sequence[str], index: int) -> str:
    return texts[index % len(texts)]
