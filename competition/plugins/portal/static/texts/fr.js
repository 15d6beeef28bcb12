// The French texts that all subjects of the portal share.

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
  "refused.invalid_otp": "Ce code est erroné, ou il n’est plus valable. Vérifiez-le, ou demandez-en un nouveau.",
  "refused.unverified_candidate": "La ligue n’a pas encore validé votre identité. « Documents » montre ce qui manque.",
  "refused.authentication_failed": "L’adresse e-mail ou le mot de passe est erroné.",
  "exams.minutes": { one: "Une minute", other: "{count} minutes" },
  "exams.screening": "Sélection",
  "exams.league": "Ligue",
  "exams.final": "Finale",
  "exams.round": "{stage}, tour {round}",
};
