from typing import TypedDict

from competition.core.auth.access import API_KEY, StaffRole, staff
from competition.core.schemas import Email, Schema, node
from competition.core.web.forms import Upload
from competition.core.web.request import Request
from competition.core.web.service import Service
from tests.contract.external_plugin import services


class Greeting(TypedDict):
    greeting: str


class Guest(Schema):
    email = node(Email())


greetings = Service("/external/greetings/")
shouts = Service("/external/shouts/")
pictures = Service("/external/pictures/")


@pictures.post(access=API_KEY, files=(Upload("picture", 512 * 1024), Upload("other", 2**20)))
def look_at(request: Request) -> Greeting:
    """Return the input."""
    picture, other = request.validated["picture"], request.validated["other"]
    return Greeting(greeting=f"{picture and picture.extension}, {other}")


@shouts.post(access=staff(StaffRole.MANAGER, permission="external.shout"), status=201)
def shout(request: Request) -> Greeting:
    """Greet all users."""
    return Greeting(greeting=services.shout(request.work))


@greetings.post(access=API_KEY, status=201, body=Guest, limit="external")
def greet(request: Request) -> Greeting:
    """Greet a person, in the reply and by email."""
    return Greeting(greeting=services.greet(request.work, request.validated["email"]))
