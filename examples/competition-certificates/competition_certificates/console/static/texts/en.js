// The English texts of the pages of certificates.

export default {
  certificates: "Certificates",
  lead: "Choose a candidate to see and revoke their certificates.",
  search: "Name, email or school",
  candidate: "Candidate",
  school: "School",
  candidates: { one: "One candidate", other: "{count} candidates" },
  noCandidates: "Candidates appear here when they register.",
  of: "Certificates of {name}",
  exam: "Exam",
  rank: "Rank",
  awarded: "Awarded",
  code: "Code",
  action: "Action",
  none: "This candidate has no certificate. The best candidates get one when a leaderboard is published.",
  revoke: "Revoke",
  revokes: "Everyone who checks the certificate of {name} for “{exam}” will read that it is not valid. This can't be undone.",
  revokeOne: "Revoke one certificate",
  revoked: "The certificate was revoked.",
  waiting: { one: "One certificate is not drawn", other: "{count} certificates are not drawn" },
};
