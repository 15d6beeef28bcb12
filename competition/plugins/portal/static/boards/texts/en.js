// The English texts of the subject boards.

export default {
  "boards.title": "Leaderboard",
  "boards.none": "No leaderboard is published yet. They appear here after the exams.",
  "boards.hidden": "The league does not show the leaderboards at the moment.",
  "boards.notThis": "This leaderboard is not published yet.",
  "boards.board": "Leaderboard",
  "boards.candidates": "Candidates",
  "boards.count": "{count}",
  "boards.average": "Average",
  "boards.percent": "{score}%",
  "boards.own": "You have rank {rank} of {count}, with {score}%.",
  "boards.notRanked": "You are not on this leaderboard.",
  "boards.result": "Show your result",
  "boards.jump": "Go to rank {rank}",
  "boards.rankAndName": "Rank and candidate",
  "boards.you": "You",
  "boards.score": "Score",
  "boards.time": "Time used",
  "boards.by_standard": "Equal scores share a rank, and the ranks after them are skipped.",
  "boards.by_dense": "Equal scores share a rank.",
  "boards.by_time": "Among equal scores, the shorter time ranks higher.",
};
