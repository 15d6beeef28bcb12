// The French texts of the console, subject by subject.

/** @type {import("../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  console: "Console",
  navigation: "Console",
  home: "Accueil",
  signOut: "Se déconnecter",
  "nav.people": "Personnes",
  "nav.candidates": "Candidats",
  "nav.documents": "Documents",
  "nav.staff": "Équipe",
  "nav.leaving": "Suppressions",
  "nav.exams": "Épreuves",
  "nav.questions": "Questions",
  "nav.results": "Résultats",
  "nav.boards": "Classements",
  "nav.advancement": "Qualification",
  "nav.appeals": "Réclamations",
  "nav.league": "Ligue",
  "nav.broadcasts": "Envois",
  "nav.house": "Maison",
  "nav.service": "Service",
  "nav.audit": "Journal d’audit",
  "nav.flags": "Fonctions",
  "nav.keys": "Clés d’API",
  "nav.jobs": "Tâches",
  "nav.mails": "E-mails",
  "nav.account": "Votre compte",

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
