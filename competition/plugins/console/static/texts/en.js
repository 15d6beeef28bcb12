// The English texts of the console, subject by subject.

export default {
  console: "Console",
  navigation: "Console",
  home: "Home",
  signOut: "Sign out",
  "nav.people": "People",
  "nav.candidates": "Candidates",
  "nav.documents": "Documents",
  "nav.staff": "Staff",
  "nav.leaving": "Deletions",
  "nav.exams": "Exams",
  "nav.questions": "Questions",
  "nav.results": "Results",
  "nav.boards": "Leaderboards",
  "nav.advancement": "Advancement",
  "nav.appeals": "Appeals",
  "nav.league": "League",
  "nav.broadcasts": "Broadcasts",
  "nav.house": "House",
  "nav.service": "Service",
  "nav.audit": "Audit trail",
  "nav.flags": "Features",
  "nav.keys": "API keys",
  "nav.jobs": "Jobs",
  "nav.mails": "Emails",
  "nav.account": "Your account",

  // account

  // home

  // people

  // documents

  // staff

  // questions

  // exams

  // day

  // results

  // boards

  // advancement

  // appeals

  // broadcasts

  // house
};
