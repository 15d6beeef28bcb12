from competition.core.schemas import Choice, Schema, node


class AnalysisQuery(Schema):
    format = node(
        Choice(["json", "csv", "svg"]),
        missing="json",
        description="`csv` returns a table, `svg` a picture.",
    )
