// The French texts of the portal, subject by subject.

/** @type {import("../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  portal: "Ligue",
  navigation: "Pages",
  home: "Accueil",
  exams: "Épreuves",
  results: "Résultats",
  boards: "Classements",
  appeals: "Réclamations",
  inbox: "Notifications",
  documents: "Documents",
  account: "Compte",
  practice: "Épreuve d’entraînement",
  device: "Vérifier cet appareil",
  start: "Début",
  register: "S’inscrire",
  signIn: "Se connecter",
  signOut: "Se déconnecter",

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
