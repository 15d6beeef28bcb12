"""`make pictures`: pictures of the pages for the documentation, from the season of `make demo`.

The pages are those of the running service of `make run`, on which `make demo` has played. They are
shown in Debian's Chromium, in English for `docs/pictures/` and in French for `docs/pictures/fr/`.
Pictures have few colours, because the repository keeps them. For each language, a candidate takes
the open exam for the pictures of the portal, and one school gets a teacher with pupils. Nothing
else changes, so the pictures can be made again. They look best after one season on a new service.
"""

import io
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
import httpx
from PIL import Image
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from tools.demo import cast
from tools.demo.client import Client, connect
from tools.demo.errors import CallFailed, DemoError
from tools.demo.mailbox import Mailbox
from tools.demo.service import Address, read_address

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs/pictures"
CHROMIUM = "/usr/bin/chromium"
PHONE: ViewportSize = {"width": 360, "height": 740}
SCREEN: ViewportSize = {"width": 1280, "height": 800}
# Broadcasts and regrades need more room.
TALL: ViewportSize = {"width": 1280, "height": 1180}
SCALE = {"phone": 2.0, "screen": 1.5}
COLOURS = 64
# The pause between two requests for the list of candidates, in seconds. The service limits the
# requests of each user.
PAUSE_SECONDS = 5
# The school whose candidates are silent on the exam day: the demo lets them begin first.
SILENT = cast.SCHOOLS[0]
# The list of a school that the picture of an import shows.
LIST = """Hillside School, class 9B
No,First name,Last name,School,E-mail,Class
1,Wanda,Kowalska,Hillside School,wanda@hillside.example,9B
2,Tunde,Bello,Hillside School,tunde@hillside.example,9B
3,Mei,Lin,Hillside School,,9B
,,,Total,,3
"""
# The pupils without an email address whom the school's teacher enters, and their class.
PUPILS = (
    "Amina Diallo",
    "Noah Fischer",
    "Lucía Romero",
    "Jonas Berg",
    "Chloé Petit",
    "Ivan Horvat",
)
CLASS = "9B"
# How many candidates who have typed the school's name the teacher leaves unconfirmed.
UNCONFIRMED = 2
INVITED = re.compile(r"this password:\s+(\S+)")
# What is pressed, filled in and waited for on French pages, by the English text.
FRENCH = {
    "Add: ": "Ajouter : ",
    "All 5 answers saved at": "Vos 5 réponses sont enregistrées à",
    "All pupils who have never signed in": "Tous les élèves qui ne se sont jamais connectés",
    "All questions": "Toutes",
    "answers saved at": "réponses sont enregistrées à",
    "Approve": "Approuver",
    "Check the file": "Vérifier le fichier",
    "Choose the file": "Choisissez le fichier",
    "Discard": "Abandonner",
    "Email": "E-mail",
    "Email or login": "E-mail ou identifiant",
    "Is this you?": "Est-ce bien vous ?",
    "Make the slips": "Créer les fiches",
    "new code": "nouveau",
    "Next": "Suivante",
    "No connection": "Pas de connexion",
    "One sheet per school": "Une feuille par établissement",
    "Password": "Mot de passe",
    "Please try the practice exam first.": "Essayez d\u2019abord l\u2019épreuve d\u2019essai.",
    "Print ": "Imprimer ",
    "Question 4:": "Question 4 :",
    "Question 7:": "Question 7 :",
    "Screening": "Sélection",
    "Sign in": "Se connecter",
    "Silent at": "Silencieux :",
    "Start": "Commencer",
    "Start reviewing": "Commencer l\u2019examen",
    "Subject": "Objet",
    "Submit 5 answers": "Remettre 5 réponses",
    "Submit now": "Remettre",
    "Text": "Texte",
    "The exam is open": "L\u2019épreuve est ouverte",
    "The receipt is genuine": "Le reçu est authentique",
    "They are printed": "Elles sont imprimées",
    "Undo all changes": "Annuler toutes les modifications",
    "You can start until 22:00.": "Vous pouvez commencer jusqu\u2019à 22 h.",
    "3 new, 1 with errors": "3 nouvelles, 1 avec des erreurs",
    "people now": "personnes actuellement",
    "saved on this device only.": "sur cet appareil seulement.",
    "was discarded": "a été abandonné",
}
# The last letter that every font has. On machines with few fonts, later letters would be shown as
# boxes.
LATIN = "\u024f"


@dataclass(frozen=True)
class _Guide:
    """The pictures of the guides in one language. `words` translates what is on the pages."""

    folder: Path
    locale: str
    words: Mapping[str, str] = field(default_factory=dict)

    def say(self, text: str) -> str:
        return self.words[text] if self.words else text

    def keep(self, page: Page, name: str) -> None:
        # Take the picture without a focus ring, and from the top of the page.
        page.evaluate("document.activeElement.blur()")
        if not page.get_by_role("dialog").is_visible():
            page.mouse.move(0, 0)
            page.evaluate("scrollTo(0, 0)")
        picture = Image.open(io.BytesIO(page.screenshot()))
        few = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        few.save(self.folder / f"{name}.png", optimize=True)
        click.echo(str((self.folder / f"{name}.png").relative_to(ROOT)))


GUIDES = (_Guide(FOLDER, "en-GB"), _Guide(FOLDER / "fr", "fr-FR", FRENCH))


@click.command()
@click.option("--var", type=click.Path(path_type=Path), default=ROOT / "var", show_default=True)
def main(var: Path) -> None:
    """Write pictures of the pages to docs/pictures."""
    address = read_address(var / "dev.json")
    with (
        connect(address.base_url, address.api_key) as client,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for guide in GUIDES:
            guide.folder.mkdir(parents=True, exist_ok=True)
            season = _Season(client, address, guide)
            _console(browser, season)
            _portal(browser, season)
            _teacher(browser, season)
        browser.close()


class _Season:
    """The data that the demo's latest season has left on the service, for the pictures of a
    guide."""

    def __init__(self, client: Client, address: Address, guide: _Guide) -> None:
        self.guide = guide
        self._client = client
        self._password = address.superadmin_password
        self._mailbox = Mailbox(address.mail_dir)
        self.root = address.base_url.removesuffix("/v1")
        self.time_zone = str(httpx.get(f"{self.root}/pages/config.json").json()["time_zone"])
        self.superadmin = address.superadmin_email
        self.staff = self.signed_in(self.superadmin)
        self.manager = self._first("/staff/", role="manager")["user"]["email"]
        self.open = self._latest("ongoing")
        self.next = self._latest("scheduled")
        # The second year of the demo has just begun. Its first one has results and a correction.
        last_year = next(
            each for each in self.staff.get("/seasons/")["results"] if each["status"] == "closed"
        )["id"]
        self.over = self._latest("concluded", stage="screening", season=last_year)
        self.recent = self._latest("concluded")
        self.regrade = self._first(f"/exams/{self.over}/regrades/")["id"]
        self.question = self._first("/questions/", search="brick", ordering="-id")["id"]
        self.candidate = self._first(f"/exams/{self.over}/scores/")["candidate_id"]
        self.round = self.staff.get(f"/exams/{self.over}/")["round"]

    def signed_in(self, email: str) -> Client:
        login = {"email": email, "password": self._password}
        return self._client.acting_for(self._client.post("/auth/login/", login)["access"])

    def newcomer(self) -> str:
        """The email address of a candidate who can take the open exam and has not started it."""
        for seat in self._seats("not_started"):
            email = self._email(seat)
            if max(seat["candidate"]["full_name"]) <= LATIN and self._as_candidate(email):
                return email
        raise DemoError("All candidates have started the open exam. Run `make demo` again.")

    def let_one_school_fall_silent(self) -> None:
        """Wait until the candidates of one school are silent, then send a sign of life for the
        candidates of all other schools.
        """
        while any(map(_is_silent, self._seats("sitting"))):
            time.sleep(PAUSE_SECONDS)
        for seat in [*self._seats("sitting"), *self._seats("silent")]:
            if not _is_silent(seat) and (candidate := self._as_candidate(self._email(seat))):
                candidate.get(f"/exams/{self.open}/time/")

    def teacher(self) -> tuple[str, str]:
        """Invite a teacher to the school, who enters and confirms pupils.

        Returns the email address and the password of the teacher.
        """
        name, email = "Grace Adeyemi", f"teacher+{int(time.time())}@hillside.example"
        first, last = name.split()
        school = self._first("/schools/", search=SILENT)["id"]
        person = {"email": email, "first_name": first, "last_name": last}
        self.staff.post(f"/schools/{school}/teachers/", person)
        password = self._mailbox.wait_for(email, INVITED)
        login = {"email": email, "password": password}
        teacher = self._client.acting_for(self._client.post("/auth/login/", login)["access"])
        for number, pupil in enumerate(PUPILS, 1):
            first, last = pupil.split()
            row = {"first_name": first, "last_name": last, "group": CLASS, "year": 9}
            teacher.post("/school/candidates/", {**row, "external_id": f"{CLASS}-{number}"})
        typed = teacher.get("/school/candidates/", state="unconfirmed", limit=100)["results"]
        for row in typed[UNCONFIRMED:]:
            teacher.post(f"/school/candidates/{row['user_id']}/confirm/", {"is_ours": True})
        return email, password

    def sign_in(self, page: Page, path: str, email: str, password: str | None = None) -> None:
        page.goto(path)
        say = self.guide.say
        page.get_by_label(say("Email")).fill(email)
        page.get_by_label(say("Password"), exact=True).fill(password or self._password)
        page.locator("form").get_by_role("button", name=say("Sign in")).click()
        page.wait_for_url(lambda url: "sign-in" not in url)
        _settle(page)

    def _latest(self, status: str, **filters: str) -> int:
        """The id of the latest exam with this status."""
        return int(self._first("/exams/", status=status, ordering="-id", **filters)["id"])

    def _first(self, path: str, **query: str) -> Any:
        return self.staff.get(path, **query)["results"][0]

    def _seats(self, state: str) -> list[Any]:
        found = self.staff.get(f"/exams/{self.open}/invigilation/", state=state, limit=100)
        return list(found["results"])

    def _email(self, seat: Any) -> str:
        return str(self.staff.get(f"/candidates/{seat['candidate']['user_id']}/")["user"]["email"])

    def _as_candidate(self, email: str) -> Client | None:
        """A client for the candidate. None if the candidate has a generated password, and not that
        of the season.
        """
        try:
            return self.signed_in(email)
        except CallFailed:
            return None


def _is_silent(seat: Any) -> bool:
    """Whether the pictures should show this candidate as silent."""
    return bool(seat["candidate"]["school"] == SILENT)


def _console(browser: Browser, season: _Season) -> None:
    keep, say = season.guide.keep, season.guide.say
    season.let_one_school_fall_silent()
    with _device(browser, season, SCREEN) as page:
        season.sign_in(page, "/console/sign-in", season.manager)

        def show(path: str, size: ViewportSize = SCREEN) -> None:
            page.set_viewport_size(size)
            page.goto(f"/console/{path}")
            _settle(page)

        show(f"exams/{season.open}/day")
        page.get_by_text(f"{say('Silent at')} {SILENT}").wait_for()
        keep(page, "console-day")
        show("")
        keep(page, "console-home")
        show("documents")
        page.get_by_role("button", name=say("Start reviewing")).click()
        page.get_by_role("button", name=say("Approve")).wait_for()
        # While Chromium's PDF viewer is shown, the network never becomes idle. So wait for a fixed
        # time.
        page.wait_for_timeout(2_000)
        keep(page, "console-documents")
        show(f"candidates?school={SILENT}&role=league")
        keep(page, "console-candidates")
        show(f"candidates/{season.candidate}", TALL)
        keep(page, "console-candidate")
        show(f"questions/{season.question}", TALL)
        keep(page, "console-question")
        show(f"exams/{season.next}")
        keep(page, "console-plan")
        show(f"exams/{season.next}/paper", TALL)
        for _ in range(3):
            page.get_by_role("button", name=say("Add: ")).first.click()
        keep(page, "console-paper")
        # Undo the changes, so that the page does not ask about them when it is left.
        page.get_by_role("button", name=say("Undo all changes")).click()
        show(f"exams/{season.open}")
        keep(page, "console-checks")
        show(f"exams/{season.over}/results?tab=analysis", TALL)
        keep(page, "console-results")
        show(f"exams/{season.over}/regrades/{season.regrade}?search=Galileo", TALL)
        keep(page, "console-regrade")
        show(f"boards/screening/{season.round}?exam={season.over}")
        keep(page, "console-board")
        show("imports/new/candidates")
        page.get_by_label(say("Choose the file")).set_input_files(
            {"name": "hillside-9b.csv", "mimeType": "text/csv", "buffer": LIST.encode()}
        )
        page.get_by_role("button", name=say("Check the file")).click()
        page.get_by_text(say("3 new, 1 with errors")).first.wait_for(timeout=60_000)
        page.set_viewport_size(TALL)
        keep(page, "console-import")
        page.get_by_role("button", name=say("Discard")).click()
        page.get_by_role("dialog").get_by_role("button", name=say("Discard")).click()
        page.get_by_text(say("was discarded")).wait_for()
        show(f"imports/new/answers?exam={season.recent}")
        page.get_by_role("button", name=say("One sheet per school")).wait_for()
        keep(page, "console-answers")
        show("broadcasts/new", TALL)
        page.get_by_role("checkbox", name=say("Screening")).check()
        page.get_by_label(say("Subject")).fill(say("The exam is open"))
        page.get_by_label(say("Text")).fill(
            "\n\n".join(
                map(say, ("You can start until 22:00.", "Please try the practice exam first."))
            )
        )
        page.get_by_text(say("people now")).wait_for()
        keep(page, "console-broadcast")
    with _device(browser, season, SCREEN) as page:
        season.sign_in(page, "/console/sign-in", season.superadmin)
        page.goto("/console/seasons")
        _settle(page)
        keep(page, "console-seasons")


def _portal(browser: Browser, season: _Season) -> None:
    keep, say = season.guide.keep, season.guide.say
    with _device(browser, season, SCREEN) as page:
        page.goto("/")
        _settle(page)
        keep(page, "portal-start")
    with _device(browser, season, PHONE) as page:
        season.sign_in(page, "/sign-in", season.newcomer())
        keep(page, "portal-home")
        page.goto(f"/exams/{season.open}")
        page.get_by_role("button", name=say("Start")).click()
        for letter in "BCDA":
            page.get_by_role("radio").nth("ABCD".index(letter)).click()
            page.get_by_role("button", name=say("Next")).click()
        page.get_by_text(say("answers saved at")).wait_for()
        page.get_by_role("link", name=say("Question 4:")).click()
        keep(page, "portal-exam")
        # The page says that the connection is lost only after more than one lost reply.
        page.context.set_offline(True)
        page.get_by_role("link", name=say("Question 7:")).click()
        page.get_by_role("radio").first.click()
        page.locator(".bar").get_by_text(say("saved on this device only.")).wait_for()
        page.get_by_text(say("No connection")).first.wait_for(timeout=90_000)
        keep(page, "portal-no-connection")
        page.context.set_offline(False)
        page.locator(".bar").get_by_text(say("All 5 answers saved at")).wait_for(timeout=90_000)
        page.get_by_role("link", name=say("All questions")).click()
        page.get_by_role("button", name=say("Submit now")).click()
        submit = page.get_by_role("dialog").get_by_role("button", name=say("Submit 5 answers"))
        submit.wait_for()
        keep(page, "portal-submitting")
        submit.click()
        page.get_by_text(say("The receipt is genuine")).wait_for()
        keep(page, "portal-submitted")


def _teacher(browser: Browser, season: _Season) -> None:
    keep, say = season.guide.keep, season.guide.say
    email, password = season.teacher()
    with _device(browser, season, SCREEN) as page:
        season.sign_in(page, "/console/sign-in", email, password)

        def show(path: str) -> None:
            page.goto(f"/console/school{path}")
            _settle(page)

        show("")
        keep(page, "teacher-home")
        show(f"/exams/{season.open}")
        keep(page, "teacher-day")
        show(f"/exams/{season.recent}")
        keep(page, "teacher-results")
        show("/slips")
        page.get_by_label(say("All pupils who have never signed in")).check()
        page.get_by_role("button", name=say("Make the slips")).click()
        made = page.get_by_role("button", name=re.compile(f"^{say('Print ')}"))
        # Pupils of earlier pictures have codes already.
        again = page.get_by_role("dialog").get_by_role("button", name=say("new code"))
        made.or_(again).first.wait_for()
        if again.is_visible():
            again.click()
            made.wait_for()
        keep(page, "teacher-slips")
        login, code = page.get_by_role("table").locator("code").all_inner_texts()[:2]
        made.click()
        page.locator(".print-sheet canvas").first.wait_for(state="attached")
        page.emulate_media(media="print")
        keep(page, "teacher-sheet")
        page.emulate_media(media="screen")
        page.get_by_role("button", name=say("They are printed")).click()
    with _device(browser, season, SCREEN) as page:
        season.sign_in(page, "/console/sign-in", season.superadmin)
        page.goto("/console/schools")
        _settle(page)
        keep(page, "console-schools")
    with _device(browser, season, PHONE) as page:
        page.goto("/sign-in")
        page.get_by_label(say("Email or login")).fill(login)
        page.get_by_label(say("Password"), exact=True).fill(code)
        keep(page, "portal-slip")
        page.locator("form").get_by_role("button", name=say("Sign in")).click()
        page.get_by_role("heading", name=say("Is this you?")).wait_for()
        keep(page, "portal-is-this-you")


@contextmanager
def _device(browser: Browser, season: _Season, size: ViewportSize) -> Iterator[Page]:
    """A page of a new device, in the league's time zone."""
    context = browser.new_context(
        base_url=season.root,
        viewport=size,
        has_touch=size is PHONE,
        device_scale_factor=SCALE["phone" if size is PHONE else "screen"],
        reduced_motion="reduce",
        color_scheme="light",
        timezone_id=season.time_zone,
        locale=season.guide.locale,
    )
    try:
        yield context.new_page()
    finally:
        context.close()


def _settle(page: Page) -> None:
    page.wait_for_load_state("networkidle")
    page.locator(".lines").first.wait_for(state="detached")


if __name__ == "__main__":
    main()
