"""Flags that operators switch at run time, tested with the flag for registration."""

import pytest
from sqlalchemy import select

from competition.core import flags
from competition.core.audit import AuditEntry
from competition.core.errors import NotFound
from competition.core.work import begin
from competition.testing.races import together

NAME = "candidate_registration"


def switch(service, to, name=NAME):
    with begin(service.runtime) as work:
        flags.switch(work, name, to)


def enabled(service, name=NAME):
    with begin(service.runtime) as work:
        return flags.enabled(work, name)


def test_a_flag_has_its_default_until_it_is_switched(app):
    assert enabled(app)
    switch(app, False)
    assert not enabled(app)
    switch(app, True)
    assert enabled(app)


def test_a_switched_flag_takes_effect_immediately(app):
    switch(app, False)
    reply = app.anonymous.get("/registration/").json
    assert not reply["is_candidate_reg_open"]
    assert reply["is_staff_reg_open"]


def test_the_list_shows_the_current_values(app):
    switch(app, False)
    with begin(app.runtime) as work:
        listed = {each.name: on for each, on in flags.listing(work)}
    assert listed[NAME] is False
    assert listed["staff_registration"] is True
    assert list(listed) == sorted(listed)


def test_an_unknown_flag_is_rejected_with_the_known_names(app):
    with pytest.raises(NotFound, match=r"'candidates'.*candidate_registration"):
        switch(app, True, "candidates")
    with pytest.raises(LookupError, match="candidates"):
        enabled(app, "candidates")


def test_flags_of_a_disabled_plugin_are_not_listed(app_with):
    app = app_with({"competition.plugins": "docs"})
    with begin(app.runtime) as work:
        assert NAME not in [each.name for each, _ in flags.listing(work)]


def test_switching_a_flag_is_audited(app):
    switch(app, False)
    with begin(app.runtime) as work:
        [entry] = work.db.scalars(select(AuditEntry).where(AuditEntry.action == "flag.switch"))
    assert (entry.subject, entry.old, entry.new) == (NAME, True, False)
    assert entry.actor_id is None


def test_two_operators_can_switch_a_flag_simultaneously(live):
    together(4, lambda index: switch(live, index % 2 == 0))
    with begin(live.runtime) as work:
        switches = select(AuditEntry).where(AuditEntry.action == "flag.switch")
        entries = work.db.scalars(switches.order_by(AuditEntry.id))
        assert len(list(entries)) == 4
