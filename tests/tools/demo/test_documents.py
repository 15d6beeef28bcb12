import io

from PIL import Image

from tools.demo.documents import papers


def test_the_files_are_what_their_names_say() -> None:
    files = papers("ada@school.example")
    assert set(files) == {"face_id", "id_card", "verification_document"}
    for name, content, media_type in files.values():
        if media_type == "application/pdf":
            assert name.endswith(".pdf")
            assert content.startswith(b"%PDF-")
        else:
            with Image.open(io.BytesIO(content)) as image:
                assert media_type == image.get_format_mimetype()


def test_the_files_differ_from_person_to_person() -> None:
    ada, ben = papers("ada@school.example"), papers("ben@school.example")
    assert all(ada[field][1] != ben[field][1] for field in ada)


def test_a_picture_is_the_same_every_time() -> None:
    assert papers("ada@school.example")["id_card"] == papers("ada@school.example")["id_card"]
