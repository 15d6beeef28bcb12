"""Contracts on imports that import-linter has none for; pyproject.toml names them."""

from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class FacesContract(Contract):
    """Each child of `container` shows its siblings the modules named in `faces`, and nothing else:
    neither its other modules nor its own ``__init__``."""

    type_name = "faces"

    container = fields.StringField()
    faces = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = sorted(self._broken(graph))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def _broken(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        for imported in graph.modules:
            sibling, *below = self._inside(imported)
            if sibling is None or (below and below[0] in self.faces):
                continue
            for importer in graph.find_modules_that_directly_import(imported):
                own, *_ = self._inside(importer)
                if own is not None and own != sibling:
                    yield importer, imported

    def _inside(self, module: str) -> list[str | None]:
        """The names below the container; of a module elsewhere None."""
        inside = module.removeprefix(f"{self.container}.")
        return [None] if inside == module else [*inside.split(".")]

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}")
