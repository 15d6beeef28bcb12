from pyramid.events import subscriber

from competition.plugins.sittings.events import SubmissionsStored


@subscriber(SubmissionsStored)
def score_what_was_stored(event: SubmissionsStored) -> None:
    """In the background: a job for each of a burst, which are run together, one job for many."""
    work, exam_id = event.work, event.exam_id
    if len(event.candidate_ids) == 1:
        [candidate_id] = event.candidate_ids
        work.enqueue(
            "scores.score", key=str(exam_id), exam_id=exam_id, candidate_id=str(candidate_id)
        )
    elif event.candidate_ids:
        work.enqueue("scores.score", key=str(exam_id), exam_id=exam_id)
