// The English texts of the subject exams.

export default {
  "exams.open": "Open now",
  "exams.upcoming": "Upcoming",
  "exams.past": "Past",
  "exams.noneOpen": "No exam is open for you now.",
  "exams.noneUpcoming": "No exam is planned for you yet. The next one will appear here.",
  "exams.noOther": "No other exam is planned yet. The next one will appear here.",
  "exams.nonePast": "Exams appear here when they are over, each with your result.",
  "exams.isOpen": "Open",
  "exams.submitted": "Submitted",
  "exams.missed": "Missed",
  "exams.opens": "Opens",
  "exams.closes": "Closes",
  "exams.closed": "Closed",
  "exams.time": "Your time",
  "exams.questions": "Questions",
  "exams.go": "Go to the exam",
  "exams.receipt": "Show the receipt",
  "exams.result": "Show the result",
};
