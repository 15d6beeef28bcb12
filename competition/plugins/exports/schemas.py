from collections.abc import Iterable
from typing import Any

from competition.core.exports import Export, ExportFilter
from competition.core.schemas import Boolean, Choice, Schema, Text, node
from competition.plugins.exports.services.formats import formats_of

# The fields of a list's query that choose the page.
PAGING = ("page", "limit", "page_size")


def query_of(export: Export, added: Iterable[ExportFilter]) -> type[Schema]:
    """The query of an operation: the filters of the table, those that plugins have added, and the
    choice of the file."""
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
