"""The files of an account: their keys are in its row, and they are deleted with it."""

import io

import pytest
from sqlalchemy import select

from competition.core.storage import files
from competition.core.storage.models import File
from competition.core.storage.pictures import ReceivedFile
from competition.core.users import accounts, attachments
from competition.core.users.models import Candidate, User
from competition.core.work import begin
from competition.testing.identity_papers import PDF, PNG


def attach(app, person, column="id_card", content=PDF, extension="pdf"):
    with begin(app.runtime) as work:
        user = accounts.locked(work, User, person.id)
        file = ReceivedFile(io.BytesIO(content), extension)
        attachments.replace(work, user, column, file, plugin="papers", folder="cards")
        return getattr(user, column)


def objects(app):
    paths = (path for path in app.file_folder.rglob("*") if path.is_file())
    return {path.relative_to(app.file_folder).as_posix() for path in paths}


def rows(app):
    with begin(app.runtime) as work:
        return {file.key: file for file in work.db.scalars(select(File))}


@pytest.fixture
def person(app):
    return app.candidate()


def test_the_row_has_the_plugin_and_the_account_of_the_file(app, person):
    key = attach(app, person)
    assert key.startswith("cards/")
    file = rows(app)[key]
    assert (file.plugin, file.subject) == ("papers", f"user {person.id}")
    assert app.user(person).id_card == key


def test_a_replaced_file_is_deleted_with_its_row(app, person):
    attach(app, person)
    key = attach(app, person, content=PNG, extension="png")
    assert {*rows(app)} == objects(app) == {key}


def test_the_old_file_stays_until_the_new_one_is_committed(app, person):
    old = attach(app, person)
    with begin(app.runtime) as work:
        user = accounts.locked(work, User, person.id)
        file = ReceivedFile(io.BytesIO(PNG), "png")
        attachments.replace(work, user, "id_card", file, plugin="papers", folder="cards")
        assert old in objects(app)
    assert old not in objects(app)


def test_the_old_file_stays_if_the_new_one_is_not_committed(app, person):
    old = attach(app, person)
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        user = accounts.locked(work, User, person.id)
        file = ReceivedFile(io.BytesIO(PNG), "png")
        attachments.replace(work, user, "id_card", file, plugin="papers", folder="cards")
        raise ZeroDivisionError
    assert {*rows(app)} == objects(app) == {old}
    assert app.user(person).id_card == old


def test_several_files_can_be_removed_together(app, person):
    stays = attach(app, person, "profile_picture", PNG, "png")
    attach(app, person, "face_id")
    attach(app, person, "id_card")
    with begin(app.runtime) as work:
        user = accounts.locked(work, User, person.id)
        attachments.remove(work, user, "face_id", "id_card", "verification_document")
    assert {*rows(app)} == objects(app) == {stays}
    user = app.user(person)
    assert (user.face_id, user.id_card, user.profile_picture) == (None, None, stays)


def test_all_files_of_an_account_are_deleted_with_it(app, person):
    attach(app, person, "profile_picture", PNG, "png")
    attach(app, person, "face_id")
    stays = attach(app, app.candidate())
    with begin(app.runtime) as work:
        # The plugin of this file has no column in the table.
        subject = files.of_user(person.id)
        files.store(work, PDF, "pdf", plugin="certificates", subject=subject)
    with begin(app.runtime) as work:
        accounts.delete_all(work, Candidate.id == person.id)
        assert len(objects(app)) == 4
    assert {*rows(app)} == objects(app) == {stays}


def test_an_account_whose_deletion_was_rolled_back_has_its_files(app, person):
    key = attach(app, person)
    with pytest.raises(ZeroDivisionError), begin(app.runtime) as work:
        accounts.delete_all(work, User.id == person.id)
        raise ZeroDivisionError
    assert {*rows(app)} == objects(app) == {key}
