"""Run-time switches, tested with the one for registration."""

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.audit import AuditEntry
from competition.core.work import begin
from competition.testing.races import together

NAME = "candidate_registration"


def switch(service, to, name=NAME):
    with begin(service.runtime) as work:
        flags.switch(work, name, to)


def enabled(service, name=NAME):
    with begin(service.runtime) as work:
        return flags.enabled(work, name)


def test_a_flag_stands_at_its_default_until_it_is_switched(app):
    assert enabled(app)
    switch(app, False)
    assert not enabled(app)
    switch(app, True)
    assert enabled(app)


def test_a_switch_takes_effect_at_once(app):
    switch(app, False)
    reply = app.anonymous.get("/registration/").json
    assert not reply["is_candidate_reg_open"]
    assert reply["is_staff_reg_open"]


def test_the_listing_shows_what_is_in_force(app):
    switch(app, False)
    with begin(app.runtime) as work:
        listed = {each.name: on for each, on in flags.listing(work)}
    assert listed[NAME] is False
    assert listed["staff_registration"] is True
    assert list(listed) == sorted(listed)


def test_an_unknown_flag_is_refused_with_the_names_there_are(app):
    with pytest.raises(flags.UnknownFlag, match=r"'candidates'.*candidate_registration"):
        switch(app, True, "candidates")
    with pytest.raises(flags.UnknownFlag):
        enabled(app, "candidates")


def test_what_was_switched_for_a_plugin_that_is_off_is_not_listed(app_with):
    app = app_with({"competition.plugins": "docs"})
    with begin(app.runtime) as work:
        assert NAME not in [each.name for each, _ in flags.listing(work)]


def test_a_switch_is_recorded(app):
    switch(app, False)
    with begin(app.runtime) as work:
        [entry] = work.db.scalars(select(AuditEntry).where(AuditEntry.action == "flag.switch"))
    assert (entry.subject, entry.old, entry.new) == (NAME, True, False)
    assert entry.actor_id is None


def test_two_operators_can_switch_at_once(live):
    together(4, lambda index: switch(live, index % 2 == 0))
    with begin(live.runtime) as work:
        switches = select(AuditEntry).where(AuditEntry.action == "flag.switch")
        entries = work.db.scalars(switches.order_by(AuditEntry.id))
        assert len(list(entries)) == 4
