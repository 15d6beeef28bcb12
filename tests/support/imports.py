"""Upload files to import, and read what their check has found."""

from pathlib import Path

FILES = Path(__file__).parents[1] / "plugins" / "imports" / "files"


def send(person, kind, content, filename="list.csv", *, status=202, code=None, **fields):
    """Upload a file. Returns the reply."""
    if isinstance(content, str):
        content = content.encode()
    sent = {"file": (filename, content), **{name: str(value) for name, value in fields.items()}}
    return person.upload("POST", f"/imports/{kind}/", sent, status=status, code=code).json


def check(app, person, kind, content, filename="list.csv", **fields):
    """Upload a file, and let the service check it. Returns the import."""
    found = send(person, kind, content, filename, **fields)
    app.run_jobs()
    return person.get(f"/imports/{found['id']}/").json


def rows(person, found, state=""):
    """The rows of an import in one state, or all of them."""
    query = f"?limit=100{'&state=' + state if state else ''}"
    return person.get(f"/imports/{found['id']}/rows/{query}").json["results"]


def apply(app, person, found, **body):
    """Apply an import. Returns it after the job."""
    person.post(f"/imports/{found['id']}/apply/", body, status=202)
    app.run_jobs()
    return person.get(f"/imports/{found['id']}/").json


def bring(app, person, kind, content, filename="list.csv", **fields):
    """Upload a file, check it and apply it. Returns the rows as they were checked."""
    found = check(app, person, kind, content, filename, **fields)
    assert found["status"] == "checked", found
    checked = rows(person, found)
    assert apply(app, person, found)["status"] == "applied", checked
    return checked
