"""Checks of single rows that the imports of people share."""

from competition.core.imports import LINE, Row
from competition.core.messages import Message
from competition.core.texts import name_key
from competition.core.users.lookup import Account


def name_keys(first_name: str, last_name: str) -> tuple[str, str]:
    """The form in which the names of a person are compared."""
    return name_key(first_name), name_key(last_name)


def names_of_row(row: Row) -> tuple[str, str]:
    return name_keys(row.values["first_name"], row.values["last_name"])


def has_other_names(row: Row, account: Account) -> bool:
    """Whether both the first and the last name in a row differ from those of the account."""
    own = name_keys(account.first_name, account.last_name)
    return all(given != name for given, name in zip(names_of_row(row), own, strict=True))


def names_a_person(row: Row) -> bool:
    """Whether a row has an email address or a name. A row with neither is rejected: it may be a
    total."""
    if {"email", "first_name", "last_name"} & row.line.cells.keys():
        return True
    row.errors = {}
    row.reject(
        LINE,
        Message("This line has no email address and no name. If it is a total, delete the line."),
    )
    return False


def repeats_address(row: Row, seen: dict[str, int]) -> bool:
    """Whether an earlier line has the email address of a row of staff. Such a row is rejected.
    `seen` collects the first line of each address."""
    email, line = row.values["email"], row.line.number
    first = seen.setdefault(email, line)
    if first == line:
        return False
    row.reject(
        "email",
        Message(
            "Line ${line} has the same email address. Delete one of the two lines.", line=first
        ),
    )
    return True
