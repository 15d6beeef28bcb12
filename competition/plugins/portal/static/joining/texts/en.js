// The English texts of the subject `joining`.

export default {
  "joining.title": "Are you taking part again?",
  "joining.what": "The season {name} has begun. You can take its exams once you say that you are taking part.",
  "joining.school": "Your school",
  "joining.schoolHint": "The full name. If your identity is approved, a new school counts after the organisers have approved it.",
  "joining.year": "Your school year",
  "joining.yearHint": "A number from 1 to 13, or empty if you don’t know it.",
  "joining.guardianWhy": "Your parent or guardian must agree for each season. Please ask them to read this text and to fill in these fields.",
  "joining.guardianName": "Name of your parent or guardian",
  "joining.guardianEmail": "Email address of your parent or guardian",
  "joining.agree": "I am the parent or guardian, and I agree to this text",
  "joining.consentChanged": "The text has changed. Please read it again, and agree to it.",
  "joining.verb": "Yes, I take part in {name}",
  "joining.done": "You take part in {name}. Good luck!",
};
