"""Emails and pages promise about personal data what the parts declare, and the parts declare what
they do."""

import re
from pathlib import Path

import pytest

import competition
from competition.core.database import Base
from competition.core.messages import translate_for, worded
from competition.core.users import personal_data
from competition.core.users.models import User
from competition.core.users.personal_data import PersonalData
from competition.core.work import begin
from competition.testing.service import PASSWORD, text_of
from tests.support.javascript import catalogue

PLUGINS = Path(competition.__file__).parent / "plugins"
# Columns that name the owner of a row. Other references to accounts, such as `created_by_id`, name
# the staff who have written a row about something else.
OWNERS = {"user_id", "candidate_id"}
# Tables with rows that the service deletes within days.
SHORT_LIVED = {"notified_candidate", "broadcast_recipient"}
# The plugin that declares the rows of another plugin, or of one of core's tables.
DECLARED_BY = {"sittings": "scores", "past_season": "seasons"}


def plugin_of(function):
    found = re.match(r"competition\.plugins\.(\w+)", function.__module__)
    return found[1] if found else "core"


def parts(service):
    found = service.runtime.catalogue[PersonalData].values()
    return [each for each in found if each.erase.__module__.startswith("competition.")]


def owned_tables():
    """The tables whose rows belong to users, with the plugin of each."""
    return {
        mapper.local_table.name: plugin_of(mapper.class_)
        for mapper in Base.registry.mappers
        if mapper.class_.__module__.startswith("competition.")
        and OWNERS & {*mapper.local_table.columns.keys()}
    }


def test_a_part_declares_what_its_erasure_leaves(app, statements):
    person = app.candidate()
    with begin(app.runtime) as work, statements() as sent:
        personal_data.erase(work, person.id)
    deleted = {found[1] for each in sent if (found := re.match(r'DELETE FROM "?(\w+)', each))}
    left = {
        DECLARED_BY.get(table) or DECLARED_BY.get(plugin, plugin)
        for table, plugin in owned_tables().items()
        if table not in deleted | SHORT_LIVED
    }
    declared = {plugin_of(each.erase) for each in parts(app) if each.remains}
    # The rows of core that stay are the account and the audit trail.
    assert left | {"core"} == declared


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_emails_list_what_the_parts_declare(app, language):
    translate = translate_for(app.runtime, language)
    person = app.candidate()
    with begin(app.runtime) as work:
        work.db.get_one(User, person.id).language = language
    person.post("/users/me/export/", status=202)
    [mail] = app.mails(person.email)
    withheld = {worded(each.withheld, translate) for each in parts(app) if each.withheld}
    assert items(mail) == withheld
    person.delete("/users/me/", {"password": PASSWORD}, status=202)
    [_, mail] = app.mails(person.email)
    assert items(mail) == {worded(each.remains, translate) for each in parts(app) if each.remains}


def items(mail):
    """The items of the list in an email."""
    found = re.findall(r"^ +\u2013 (.+(?:\n +[^\u2013\s].*)*)", text_of(mail), re.M)
    return {re.sub(r"\n +", " ", each) for each in found}


def test_staff_read_nothing_about_the_scores_of_candidates(app, admin):
    with begin(app.runtime) as work:
        user = work.db.get_one(User, admin.id)
        texts = [*personal_data.withheld(work, user), *personal_data.remains(work, user)]
    assert texts and not [each for each in texts if "score" in each]


# What a page says in one sentence, and the words of the declarations that it has to contain.
@pytest.mark.parametrize(
    ("file", "text", "words"),
    [
        ("pages/static/pieces/more/texts/en.js", "data.why", ["copy", "Scores", "not published"]),
        ("pages/static/pieces/more/texts/fr.js", "data.why", ["copie", "notes", "pas encore"]),
        ("portal/static/account/texts/en.js", "account.deleteWhy", ["answers", "scores", "ranks"]),
        ("portal/static/account/texts/fr.js", "account.deleteWhy", ["réponses", "notes", "rangs"]),
        ("portal/static/account/texts/en.js", "account.deleteWhat", ["documents", "remains"]),
        ("portal/static/account/texts/fr.js", "account.deleteWhat", ["documents", "reste"]),
        ("console/static/account/texts/en.js", "account.deleteWhat", ["documents", "remains"]),
        ("console/static/account/texts/fr.js", "account.deleteWhat", ["documents", "reste"]),
        ("console/static/people/texts/en.js", "people.deletes", ["Answers, scores and ranks stay"]),
        (
            "console/static/people/texts/fr.js",
            "people.deletes",
            ["réponses, les notes et les rangs"],
        ),
    ],
)
def test_a_page_promises_no_more(file, text, words):
    written = " ".join(catalogue(PLUGINS / file)[text])
    assert [each for each in words if each not in written] == []
    assert not re.search(r"everything|all (about|your) |tout ce|answers are erased", written)
