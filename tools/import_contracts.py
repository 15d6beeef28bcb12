"""The import contract for pyproject.toml that import-linter does not provide."""

import re
from collections.abc import Iterator

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output

Import = tuple[str, str]


class ImportsContract(Contract):
    """Forbids imports, which are pairs of an importer and an imported module.

    An item of `forbidden` is ``importers -> imported, imported``. With ``=>`` instead of ``->``,
    the imports are not even allowed indirectly. A name stands for the module and everything in it.
    In a name, ``*`` matches any name, and ``(a|b)`` matches one of the two.

    The packages in `container` may import from each other only the modules whose names are in
    `public`, and not the ``__init__`` of a package.

    `allowed` lists direct imports that are exceptions from these rules.
    """

    type_name = "imports"

    forbidden = fields.ListField(subfield=fields.StringField())
    container = fields.StringField()
    public = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        broken = {*self._directly(graph), *self._between_packages(graph)}
        broken = {pair for pair in broken if " -> ".join(pair) not in self.allowed}
        lines = [f"{importer} imports {imported}" for importer, imported in sorted(broken)]
        lines += [" imports ".join(chain) for chain in sorted(self._indirectly(graph))]
        return ContractCheck(kept=not lines, metadata={"lines": lines})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for line in check.metadata["lines"]:
            output.print_error(line)

    def _directly(self, graph: ImportGraph) -> Iterator[Import]:
        for importers, imported in self._forbidden("->"):
            for module in _matching(graph, imported):
                for importer in graph.find_modules_that_directly_import(module):
                    if _is_in(importer, importers):
                        yield importer, module

    def _indirectly(self, graph: ImportGraph) -> Iterator[tuple[str, ...]]:
        for importers, imported in self._forbidden("=>"):
            for module in _matching(graph, imported):
                for importer in _matching(graph, importers):
                    if chain := graph.find_shortest_chain(importer, module):
                        yield chain

    def _forbidden(self, arrow: str) -> Iterator[tuple[str, str]]:
        """The pairs of patterns in `forbidden` that have this arrow between them."""
        for item in self.forbidden:
            importers, found, imported = item.partition(f" {arrow} ")
            if found:
                for each in imported.split(", "):
                    yield importers, each

    def _between_packages(self, graph: ImportGraph) -> Iterator[Import]:
        for imported in graph.modules:
            package, *below = self._inside(imported)
            if package is None or (below and below[0] in self.public):
                continue
            for importer in graph.find_modules_that_directly_import(imported):
                own, *_ = self._inside(importer)
                if own is not None and own != package:
                    yield importer, imported

    def _inside(self, module: str) -> list[str | None]:
        """The parts of a module's path below the container. [None] if the module is outside."""
        inside = module.removeprefix(f"{self.container}.")
        return [None] if inside == module else [*inside.split(".")]


def _matching(graph: ImportGraph, pattern: str) -> list[str]:
    return [module for module in graph.modules if _is_in(module, pattern)]


def _is_in(module: str, pattern: str) -> bool:
    """Whether the pattern matches the module, or a package that contains the module."""
    expression = pattern.replace(".", r"\.").replace("*", r"[^.]+")
    return re.fullmatch(rf"{expression}(\..+)?", module) is not None
