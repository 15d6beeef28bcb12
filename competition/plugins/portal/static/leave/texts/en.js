// The English texts of the subject `leave`.

export default {
  "leave.title": "Sign out now?",
  "leave.what": { one: "One of your answers in an exam is saved on this device only. Signing out deletes it. Open the exam to send it.", other: "{count} of your answers in an exam are saved on this device only. Signing out deletes them. Open the exam to send them." },
  "leave.silent": { one: "Another tab of this site does not respond. If an exam is open there, look at it first: signing out may delete answers that the league does not have.", other: "{count} other tabs of this site do not respond. If an exam is open there, look at it first: signing out may delete answers that the league does not have." },
  "leave.anyway": "Sign out",
  "leave.verb": { one: "Sign out and delete one answer", other: "Sign out and delete {count} answers" },
};
