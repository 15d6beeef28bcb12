from competition.core.roles import CandidateRole, StaffRole
from competition.core.schemas import Choice, Schema, node


class NewCandidateRole(Schema):
    role = node(Choice(CandidateRole))


class NewStaffRole(Schema):
    role = node(Choice(StaffRole))
