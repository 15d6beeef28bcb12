// The English texts of the portal, subject by subject.

export default {
  portal: "League",
  navigation: "Pages",
  home: "Home",
  exams: "Exams",
  results: "Results",
  boards: "Leaderboards",
  appeals: "Appeals",
  inbox: "Notifications",
  documents: "Documents",
  account: "Account",
  practice: "Practice exam",
  device: "Check this device",
  start: "Start",
  register: "Register",
  signIn: "Sign in",
  signOut: "Sign out",

  // start

  // account

  // documents

  // exam

  // exams

  // practice

  // results

  // boards

  // appeals

  // inbox
};
