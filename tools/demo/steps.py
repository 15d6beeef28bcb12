"""The steps of the season, each with a progress bar."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

T = TypeVar("T")
R = TypeVar("R")

AT_ONCE = 8


class Steps:
    """Shows a progress bar for each step."""

    def __init__(self, console: Console) -> None:
        self._progress = Progress(
            TextColumn("{task.description:<46}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
        )

    def each(self, title: str, items: Sequence[T], act: Callable[[T], R]) -> list[R]:
        """Call `act` for every item, some at the same time, and return the results in order.

        Raises the first exception. Calls that have not begun by then are cancelled.
        """
        bar = self._progress.add_task(title, total=len(items))

        def step(item: T) -> R:
            answer = act(item)
            self._progress.advance(bar)
            return answer

        with ThreadPoolExecutor(AT_ONCE) as pool:
            try:
                return list(pool.map(step, items))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()
