from competition.core.auth.access import StaffRole
from competition.core.errors import Invalid
from competition.core.events import subscriber
from competition.core.messages import Message
from competition.core.seasons.events import SeasonOpened
from competition.core.users.events import AccountChanging, SchoolChanged
from competition.plugins.accounts.events import InvitationPreparing
from competition.plugins.people.events import RoleAssigned
from competition.plugins.schools.events import SchoolDeleting, SchoolsMerged
from competition.plugins.teachers.services import linking, pupils


@subscriber(RoleAssigned)
def end_link(event: RoleAssigned) -> None:
    """End the link of a teacher who gets another role, because staff with a higher role can see
    answer keys."""
    if event.old == StaffRole.VOLUNTEER and event.new != StaffRole.VOLUNTEER:
        linking.end(event.work, event.user_id)


@subscriber(AccountChanging)
def keep_names(event: AccountChanging) -> None:
    pupils.check_own_change(event.work, event.user_id, event.values)


@subscriber(SchoolChanged)
def end_tie(event: SchoolChanged) -> None:
    pupils.forget(event.work, event.user_id)


@subscriber(SeasonOpened)
def record_pupils(event: SeasonOpened) -> None:
    pupils.record(event.work, event.closed_id)


@subscriber(InvitationPreparing)
def name_school(event: InvitationPreparing) -> None:
    event.school = linking.school_of(event.work, event.user_id)


@subscriber(SchoolsMerged)
def move_teachers_and_pupils(event: SchoolsMerged) -> None:
    event.own_teachers = pupils.count_teachers(event.work, [event.school_id])
    event.moved_teachers = pupils.count_teachers(event.work, event.merged_ids)
    pupils.move(event.work, event.merged_ids, event.school_id)


@subscriber(SchoolDeleting)
def keep_school_with_teachers(event: SchoolDeleting) -> None:
    if pupils.count_teachers(event.work, [event.school_id]):
        raise Invalid(
            Message("This school has teachers, so it can't be deleted. Remove its teachers first.")
        )
