from competition.core.schemas import Number, Schema, Text, node


class ManualScore(Schema):
    # A malformed id is told as an unknown one is (decisions G24).
    candidate_id = node(Text(0, 100))
    score = node(Number(0, 100))
