from competition.core.slots import Slot

# Fields of a school, by its id.
SCHOOL = Slot[int]("schools.school")
