from typing import Literal, TypedDict


class Received(TypedDict):
    status: Literal["received"]
