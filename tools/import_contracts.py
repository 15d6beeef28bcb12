"""Import contracts for pyproject.toml that import-linter does not provide."""

from abc import abstractmethod
from collections.abc import Iterator
from fnmatch import fnmatchcase

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Broken = list[tuple[str, str]]


class ImportsContract(Contract):
    """Base class of contracts that forbid pairs of importer and imported module."""

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken: Broken = sorted(self.broken(graph))
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    @abstractmethod
    def broken(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        """Each forbidden import: the importer and the imported module."""

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["broken"]:
            output.print_error(f"{importer} imports {imported}")


class FacesContract(ImportsContract):
    """Packages in `container` may import only the modules named in `faces` from each other.

    They may not import other modules, nor the ``__init__``.
    """

    type_name = "faces"

    container = fields.StringField()
    faces = fields.ListField(subfield=fields.StringField())

    def broken(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        for imported in graph.modules:
            sibling, *below = self._inside(imported)
            if sibling is None or (below and below[0] in self.faces):
                continue
            for importer in graph.find_modules_that_directly_import(imported):
                own, *_ = self._inside(importer)
                if own is not None and own != sibling:
                    yield importer, imported

    def _inside(self, module: str) -> list[str | None]:
        """The parts of a module's path below the container; [None] if it is outside."""
        inside = module.removeprefix(f"{self.container}.")
        return [None] if inside == module else [*inside.split(".")]


class DirectContract(ImportsContract):
    """Forbids direct imports. Indirect ones are allowed.

    Each item of `forbidden` is ``importers -> imported, imported``; a ``*`` stands for any name.
    Imports in `ignored` are allowed.
    """

    type_name = "direct"

    forbidden = fields.ListField(subfield=fields.StringField())
    ignored = fields.ListField(subfield=fields.StringField())

    def broken(self, graph: ImportGraph) -> Iterator[tuple[str, str]]:
        for line in self.forbidden:
            importers, _, imported = line.partition(" -> ")
            for module in graph.modules:
                if any(_is_in(module, each) for each in imported.split(", ")):
                    for importer in graph.find_modules_that_directly_import(module):
                        pair = f"{importer} -> {module}"
                        if _is_in(importer, importers) and pair not in self.ignored:
                            yield importer, module


def _is_in(module: str, pattern: str) -> bool:
    return fnmatchcase(module, pattern) or fnmatchcase(module, f"{pattern}.*")
