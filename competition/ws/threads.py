"""Threads for what talks to the database or to Redis, off the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Threads:
    def __init__(self, count: int, name: str) -> None:
        self._executor = ThreadPoolExecutor(count, name)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        # What is done there is done for what is done here: its id in the log, its trace.
        context = copy_context()
        return await loop.run_in_executor(
            self._executor, lambda: context.run(function, *args, **kwargs)
        )

    def close(self) -> None:
        """Let what runs finish."""
        self._executor.shutdown()
