"""The number of SQL statements for managing accounts."""

from tests.support.statements import above, counts


def test_managing_an_account_takes_few_statements(app, admin, manager, statements):
    person, member = app.candidate(), app.staff("volunteer")
    # Use an account of staff. For candidates, other plugins add data, which takes more statements.
    account = f"/account-management/{member.id}/"
    roles = f"/candidates/{person.id}/roles/assign/", f"/staff/{member.id}/roles/assign/"
    # From here on the API key is cached.
    person.get("/candidates/me/")
    acts = {
        "own profile": lambda: person.get("/candidates/me/", status=200),
        "change": lambda: manager.patch(account, {"first_name": "Grace"}, status=200),
        "own change": lambda: member.patch("/account-management/", {"first_name": "Ada"}),
        "off": lambda: manager.put(f"{account}activation/", {"is_active": False}, status=200),
        "on": lambda: manager.put(f"{account}activation/", {"is_active": True}, status=200),
        "candidate's role": lambda: admin.put(roles[0], {"role": "league"}, status=200),
        "staff's role": lambda: manager.put(roles[1], {"role": "moderator"}, status=200),
    }
    limits = {
        "own profile": 2,
        "change": 5,
        "own change": 4,
        "off": 6,
        # One of the statements cancels a deletion that was requested.
        "on": 5,
        "candidate's role": 4,
        # One of the statements ends the link of a teacher to a school.
        "staff's role": 5,
    }
    assert above(limits, counts(statements, acts)) == {}
