"""The columns that identify a candidate in exports."""

from sqlalchemy import func

from competition.core.users.models import USERS

FULL_NAME = USERS.c.first_name + " " + USERS.c.last_name
# The school that counts for the rules (`Candidate.counted_school`).
COUNTED_SCHOOL = func.coalesce(USERS.c.approved_school, USERS.c.school)
# The columns of every export that has a line for each candidate. Exports about an exam, such as its
# results, use `affiliations.of_exam(exam).candidate`, because its season may be closed.
CANDIDATE = (
    USERS.c.id.label("candidate_id"),
    USERS.c.external_id,
    FULL_NAME.label("name"),
    COUNTED_SCHOOL.label("school"),
    USERS.c.year,
    USERS.c.group,
)
BY_NAME = (USERS.c.last_name, USERS.c.first_name, USERS.c.id)
