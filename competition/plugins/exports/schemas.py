from collections.abc import Iterable
from typing import Any

from competition.core.exports import Export, ExportFilter
from competition.core.schemas import Boolean, Choice, Schema, Text, node
from competition.plugins.exports.services.formats import formats_of

# The query parameters that choose the page of a list. An export has all rows, so its endpoint has
# no such parameters.
PAGING = ("page", "limit", "page_size")


def query_of(export: Export, added: Iterable[ExportFilter]) -> type[Schema]:
    """The schema of the query of an export's endpoint: the filters of the table, the filters that
    plugins have added, and the choice of the file's format and schools."""
    declared = export.query().children if export.query is not None else ()
    fields: dict[str, Any] = {
        each.name: each.clone() for each in declared if each.name not in PAGING
    }
    fields |= {each.name: each.parameter.clone() for each in added}
    formats = formats_of(export)
    limits = "".join(
        f" `{name}` has at most {each.most_rows} rows."
        for name, each in formats.items()
        if each.most_rows is not None
    )
    fields["format"] = node(
        Choice(formats), missing="csv", description=f"The format of the file.{limits}"
    )
    if export.by_school:
        fields["school"] = node(
            Text(0, 200),
            missing="",
            description="Only candidates of the school with exactly this name.",
        )
        fields["per_school"] = node(
            Boolean(), missing=False, description="true: a ZIP archive with a file for each school."
        )
    return type("ExportQuery", (Schema,), {"__module__": __name__, **fields})
