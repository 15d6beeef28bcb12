import io

from PIL import Image

from tools.demo.documents import papers


def test_the_files_have_the_types_of_their_names() -> None:
    files = papers("ada@school.example")
    assert set(files) == {"face_id", "id_card", "verification_document"}
    for name, content, media_type in files.values():
        if media_type == "application/pdf":
            assert name.endswith(".pdf")
            assert content.startswith(b"%PDF-")
        else:
            with Image.open(io.BytesIO(content)) as image:
                assert media_type == image.get_format_mimetype()


def test_the_files_differ_between_people() -> None:
    ada, ben = papers("ada@school.example"), papers("ben@school.example")
    assert all(ada[field][1] != ben[field][1] for field in ada)


def test_a_persons_picture_is_always_the_same() -> None:
    assert papers("ada@school.example")["id_card"] == papers("ada@school.example")["id_card"]
