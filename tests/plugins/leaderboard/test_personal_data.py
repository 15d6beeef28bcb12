"""After an erasure, a leaderboard keeps only the candidate's rank and score."""

from competition.core.users import personal_data
from competition.core.work import begin
from competition.testing.exam_day import make_exam, sit


def test_an_erasure_removes_only_the_name_from_a_leaderboard(app):
    admin, person = app.staff("admin"), app.candidate()
    sit(app, person, make_exam(app, admin), "ABCDABCDAA")
    app.clock.advance(days=2)
    admin = app.new_session(admin)
    admin.post("/leaderboard/publish/")
    app.run_jobs()
    board = "/leaderboard/?stage=screening&round=1"
    shown = admin.get(board)
    known = {"If-None-Match": shown.headers["ETag"]}
    admin.get(board, headers=known, status=304)
    [before] = shown.json["top_three"]
    with begin(app.runtime) as work:
        [exported] = personal_data.export(work, person.id)["leaderboard"]
        personal_data.erase(work, person.id)
    # A process caches pages for a minute, so clear its cache.
    app.runtime.close_parts()
    assert (exported["rank"], exported["full_name"]) == (1, before["candidate"]["full_name"])
    [after] = admin.get(board, headers=known, status=200).json["top_three"]
    assert (after["rank"], after["score"]) == (before["rank"], before["score"])
    assert (after["candidate"]["full_name"], after["candidate"]["school"]) == ("Erased", "Erased")
