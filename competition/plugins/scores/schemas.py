from competition.core.schemas import Number, Schema, Text, node


class ManualScore(Schema):
    # A string, so that a malformed id gets the same error as an unknown one (decisions G24).
    candidate_id = node(Text(0, 100))
    score = node(Number(0, 100))
