"""Images in questions can't be deleted (contract Q2)."""

import io
import re

import pytest
from PIL import Image
from sqlalchemy import String, cast, func, select

from competition.core.storage.contract import Storage
from competition.core.work import begin
from competition.plugins.exams.models import Paper, PaperImage
from competition.plugins.questions import services
from competition.plugins.questions.models import ImageUse, Question
from competition.plugins.questions.services import captions, images
from competition.testing.exam_day import make_exam, take
from competition.testing.races import overtaken, together
from competition.testing.statements import executed

IMAGES = "/questions/images/"
OPTIONS = {"option_a": "1", "option_b": "2", "option_c": "3", "option_d": "4"}
IN_USE = {"status": 400, "code": "invalid"}


def upload(person, alt="A circle"):
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), "navy").save(buffer, "PNG")
    form = {"file": ("figure.png", buffer.getvalue()), "alt": alt}
    return person.upload("POST", IMAGES, form, status=201).json


def add(person, text, **fields):
    body = {"text": text, **OPTIONS, "correct_answer": "B", **fields}
    return person.post("/questions/", body, **{"status": 201}).json


def shows(image):
    return f"[image:{image['id']}]"


def path(image):
    return f"{IMAGES}{image['id']}/"


def used_by(person, image):
    [found] = [each for each in person.get(IMAGES).json["results"] if each["id"] == image["id"]]
    return found["used_by"]


class TestRendering:
    def test_a_question_is_rendered_with_its_images_and_their_texts(self, app, moderator):
        image = upload(moderator, 'A "circle" & <b>')
        question = add(
            moderator, f"How large is {shows(image)}?", option_c=f"{shows(image)}\\(x\\)"
        )
        assert question["text"] == f"How large is {shows(image)}?"
        tag = (
            f'<img src="{image["url"]}" width="8" height="6"'
            ' alt="A &quot;circle&quot; &amp; &lt;b&gt;">'
        )
        assert question["rendered"]["text"] == f"How large is {tag}?"
        assert question["rendered"]["option_c"].startswith(f"{tag}<math")
        assert question["rendered"]["option_a"] == "1"
        assert question["spoken"]["text"] == 'How large is image: A "circle" & <b>?'

    @pytest.mark.parametrize("unknown", ["999999", "2147483647", "2147483648", "9999999999", "0"])
    def test_an_unknown_image_is_an_error_of_its_field(self, app, moderator, unknown):
        body = {"text": "Why?", **OPTIONS, "correct_answer": "B"}
        for field in ("text", "option_d"):
            wrong = {**body, field: f"a [image:{unknown}]"}
            reply = moderator.post("/questions/", wrong, status=400, code="invalid")
            assert list(reply.json["errors"]) == [field]
            reply = moderator.post("/questions/render/", wrong, status=400, code="invalid")
            assert list(reply.json["errors"]) == [field]
        question = add(moderator, "Why?")
        own = f"/questions/{question['id']}/"
        moderator.patch(own, {"text": f"[image:{unknown}]"}, status=400, code="invalid")
        assert moderator.get(own).json == question

    def test_the_bank_can_be_filtered_by_whether_a_question_shows_an_image(self, app, admin):
        image = upload(admin, "A circle")
        texts = {"shown": shows(image), "archived": shows(image), "none": "<img", "maths": r"\(x\)"}
        ids = {name: add(admin, text)["id"] for name, text in texts.items()}
        admin.delete(f"/questions/{ids['archived']}/", status=204)

        def found(query):
            return {each["id"] for each in admin.get(f"/questions/?{query}").json["results"]}

        assert found("with_image=true") == {ids["shown"]}
        assert found("with_image=false") == {ids["none"], ids["maths"]}
        assert found("with_image=true&archived=true") == {ids["archived"]}

    @pytest.mark.parametrize("text", ["[image:]", "[image:x]", "[Image:1]", "[image: 1]"])
    def test_a_malformed_reference_stays_text(self, app, moderator, text):
        assert add(moderator, text)["rendered"] is None

    def test_a_preview_of_a_question_does_not_prevent_deleting_its_images(self, app, moderator):
        image = upload(moderator)
        reply = moderator.post("/questions/render/", {"text": shows(image)}, status=200)
        assert image["url"] in reply.json["rendered"]["text"]
        moderator.delete(path(image), status=204)

    def test_questions_in_the_bank_show_a_changed_alternative_text(self, app, moderator):
        image, other = upload(moderator), upload(moderator, "A square")
        question = add(moderator, f"image: A circle {shows(image)}", option_a=shows(other))
        moderator.patch(path(image), {"alt": "A disc"}, status=200)
        changed = moderator.get(f"/questions/{question['id']}/").json
        assert changed["spoken"]["text"] == "image: A circle image: A disc"
        assert 'alt="A disc"' in changed["rendered"]["text"]
        assert changed["spoken"]["option_a"] == "image: A square"


class TestUses:
    def test_an_image_counts_the_questions_that_show_it(self, app, moderator):
        image = upload(moderator)
        first = add(moderator, f"{shows(image)} and {shows(image)}")
        second = add(moderator, "Which?", option_b=shows(image))
        assert used_by(moderator, image) == 2
        moderator.patch(f"/questions/{second['id']}/", {"option_b": "None"})
        assert used_by(moderator, image) == 1
        moderator.patch(f"/questions/{first['id']}/", {"difficulty": "hard"})
        assert used_by(moderator, image) == 1
        assert moderator.patch(path(image), {"alt": "A disc"}).json["used_by"] == 1
        moderator.delete(f"/questions/{first['id']}/")
        assert used_by(moderator, image) == 0

    def test_an_image_in_the_bank_is_not_deleted_until_its_question_is_archived(
        self, app, moderator, admin
    ):
        image = upload(moderator)
        first, second = (add(moderator, shows(image)) for _ in range(2))
        moderator.delete(path(image), **IN_USE)
        moderator.delete(f"/questions/{first['id']}/")
        moderator.delete(path(image), **IN_USE)
        admin.post("/questions/bulk-archive/", {"question_ids": [second["id"]]})
        # An edit of the archived question does not prevent the deletion either.
        moderator.patch(f"/questions/{first['id']}/", {"difficulty": "hard"}, status=200)
        moderator.delete(path(image), status=204)
        reply = moderator.patch(f"/questions/{first['id']}/", {"text": shows(image)}, status=400)
        assert list(reply.json["errors"]) == ["text"]


class TestPapers:
    @pytest.fixture
    def image(self, moderator):
        return upload(moderator)

    @pytest.fixture
    def exam_id(self, app, admin, moderator, image):
        question = add(moderator, f"How large is {shows(image)}?")
        return make_exam(app, admin, questions=[question["id"]])

    @pytest.fixture
    def candidate(self, app):
        return app.candidate()

    def asked(self, candidate, exam_id):
        [question] = take(candidate, exam_id, status=200).json["questions"]
        return question

    def test_a_frozen_paper_keeps_its_images_and_their_texts(
        self, app, moderator, candidate, image, exam_id
    ):
        before = self.asked(candidate, exam_id)
        assert image["url"] in before["rendered"]["text"]
        moderator.patch(path(image), {"alt": "A disc"})
        own = f"/questions/{before['id']}/"
        assert "A disc" in moderator.get(own).json["spoken"]["text"]
        moderator.patch(own, {"text": "How large?"})
        moderator.delete(path(image), **IN_USE)
        moderator.delete(own)
        moderator.delete(path(image), **IN_USE)
        app.runtime.close_parts()
        assert self.asked(candidate, exam_id) == before
        app.client().get(image["url"].partition("/v1")[2], status=200)

    def test_an_undone_preparation_no_longer_keeps_images(
        self, app, admin, moderator, image, exam_id
    ):
        admin.post(f"/exams/{exam_id}/prepare/")
        with begin(app.runtime) as work:
            assert [each.image_id for each in work.db.query(PaperImage)] == [image["id"]]
        [question] = admin.get(f"/exams/{exam_id}/questions/").json
        moderator.patch(f"/questions/{question['id']}/", {"text": "How large?"})
        moderator.delete(path(image), **IN_USE)
        admin.delete(f"/exams/{exam_id}/prepare/")
        moderator.delete(path(image), status=204)

    def test_the_preview_of_a_paper_shows_its_images(self, app, admin, image, exam_id):
        reply = admin.get(f"/exams/{exam_id}/preview/")
        assert image["url"] in reply.text and "image: A circle" in reply.text

    def test_images_have_the_current_address_of_the_service(
        self, app, admin, moderator, candidate, exam_id, monkeypatch
    ):
        before = [self.asked(candidate, exam_id)]
        read = (
            lambda: admin.get(f"/exams/{exam_id}/questions/").json,
            lambda: admin.get(f"/exams/{exam_id}/preview/").json["questions"],
            lambda: moderator.get("/questions/").json["results"],
            lambda: [moderator.get(f"/questions/{before[0]['id']}/").json],
        )
        expected = [before, *(each() for each in read)]
        url = app.runtime.api_url
        with begin(app.runtime) as work:
            for stored in (Paper.questions, Question.rendered):
                texts = "".join(work.db.scalars(select(func.coalesce(cast(stored, String), ""))))
                assert url not in texts and "/images/" in texts
        moved = "https://moved.example/v1"
        monkeypatch.setattr(app.runtime, "api_url", moved)
        app.runtime.close_parts()
        shown = [[self.asked(candidate, exam_id)], *(each() for each in read)]
        for old, new in zip(expected, shown, strict=True):
            earlier = [each["rendered"] for each in old if each["rendered"]]
            assert f'<img src="{url}/images/' in earlier[0]["text"]
            assert [each["rendered"] for each in new if each["rendered"]] == [
                {name: html.replace(url, moved) for name, html in texts.items()}
                for texts in earlier
            ]

    def test_opening_a_paper_with_images_does_not_use_the_storage(self, live):
        moderator, admin, candidate = live.staff("moderator"), live.staff("admin"), live.candidate()
        figures = [add(moderator, shows(upload(moderator)))["id"] for _ in range(3)]
        with_images = make_exam(live, admin, questions=figures)
        without = make_exam(live, admin, key="ABC", round=2)

        class Untouched:
            def __getattr__(self, name):
                raise AssertionError(f"take-exam called {name} of the storage.")

        live.runtime.provide(Storage, Untouched())
        counts = []
        for exam_id in (with_images, without):
            for _ in range(2):
                with executed(live.runtime.database.engines) as statements:
                    take(candidate, exam_id, status=200)
            counts.append(len(statements))
        assert counts[0] == counts[1]


class TestRaces:
    def test_saving_a_question_while_its_image_is_deleted_is_rejected(self, live):
        moderator = live.staff("moderator")
        image = upload(moderator)
        body = {"text": shows(image), **OPTIONS, "correct_answer": "B"}
        reply = overtaken(
            live,
            moderator,
            lambda work: images.remove(work, image["id"]),
            lambda: moderator.post("/questions/", body, status="any"),
        )
        assert (reply.status_int, list(reply.json["errors"])) == (400, ["text"])

    def test_an_image_is_not_deleted_while_a_question_with_it_is_saved(self, live):
        moderator = live.staff("moderator")
        image = upload(moderator)
        body = {"text": shows(image), **OPTIONS, "correct_answer": "B", "difficulty": "easy"}
        reply = overtaken(
            live,
            moderator,
            lambda work: services.create(work, body),
            lambda: moderator.delete(path(image), status="any"),
        )
        assert reply.status_int == 400

    def test_saving_a_question_while_an_alternative_text_changes_gets_the_new_text(self, live):
        moderator = live.staff("moderator")
        image = upload(moderator)
        question = add(moderator, "Which?")
        own = f"/questions/{question['id']}/"
        reply = overtaken(
            live,
            moderator,
            lambda work: captions.change(work, image["id"], {"alt": "A disc"}),
            lambda: moderator.patch(own, {"text": shows(image)}, status=200),
        )
        assert reply.json["spoken"]["text"] == "image: A disc"

    def test_changing_an_alternative_text_reaches_a_question_being_saved(self, live):
        moderator = live.staff("moderator")
        image = upload(moderator)
        question = add(moderator, "Which?")
        overtaken(
            live,
            moderator,
            lambda work: services.change(work, question["id"], {"text": shows(image)}),
            lambda: moderator.patch(path(image), {"alt": "A disc"}, status=200),
        )
        found = moderator.get(f"/questions/{question['id']}/").json
        assert found["spoken"]["text"] == "image: A disc"

    def test_an_image_is_either_deleted_or_shown(self, live):
        moderator = live.staff("moderator")
        for _ in range(5):
            image = upload(moderator)

            def act(number, image=image):
                if number == 0:
                    return moderator.delete(path(image), status="any")
                body = {"text": shows(image), **OPTIONS, "correct_answer": "B"}
                return moderator.post("/questions/", body, status="any")

            deleted, added = (reply.status_int for reply in together(2, act))
            assert (deleted, added) in ((204, 400), (400, 201))

    def test_an_image_is_either_deleted_or_in_a_paper(self, live):
        """The question is archived, so only the paper can keep the image."""
        moderator, admin, candidate = live.staff("moderator"), live.staff("admin"), live.candidate()
        for number in range(3):
            image = upload(moderator)
            question = add(moderator, shows(image))
            exam_id = make_exam(live, admin, questions=[question["id"]], round=number + 1)

            def act(number, image=image, question=question, exam_id=exam_id):
                if number == 0:
                    return take(candidate, exam_id, status="any")
                moderator.delete(f"/questions/{question['id']}/")
                return moderator.delete(path(image), status="any")

            opened, deleted = (reply.status_int for reply in together(2, act))
            assert (opened == 200) == (deleted == 400), (opened, deleted)

    def test_a_question_shows_the_newest_text_of_an_image(self, live):
        moderator = live.staff("moderator")
        image = upload(moderator)
        questions = [add(moderator, shows(image))["id"] for _ in range(3)]

        def act(number):
            if number == 0:
                return moderator.patch(path(image), {"alt": "A disc"}, status=200)
            own = f"/questions/{questions[number - 1]}/"
            return moderator.patch(own, {"text": f"{number} {shows(image)}"}, status=200)

        together(4, act)
        with begin(live.runtime) as work:
            found = [each.spoken["text"] for each in work.db.query(Question)]
            assert work.db.query(ImageUse).count() == 3
        assert {re.sub(r"^\d ", "", each) for each in found} == {"image: A disc"}
