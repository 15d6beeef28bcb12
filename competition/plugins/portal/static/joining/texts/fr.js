// The French texts of the subject `joining`.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "joining.title": "Participez-vous à nouveau ?",
  "joining.what": "La saison {name} a commencé. Vous pouvez passer ses épreuves une fois que vous avez dit que vous participez.",
  "joining.school": "Votre établissement",
  "joining.schoolHint": "Le nom complet. Si votre identité est approuvée, un nouvel établissement compte après l’accord des organisateurs.",
  "joining.year": "Votre niveau scolaire",
  "joining.yearHint": "Un nombre de 1 à 13, ou rien si vous ne le connaissez pas.",
  "joining.guardianWhy": "Votre parent ou tuteur doit donner son accord pour chaque saison. Demandez-lui de lire ce texte et de remplir ces champs.",
  "joining.guardianName": "Nom de votre parent ou tuteur",
  "joining.guardianEmail": "Adresse e-mail de votre parent ou tuteur",
  "joining.agree": "Je suis le parent ou le tuteur, et j’accepte ce texte",
  "joining.consentChanged": "Le texte a changé. Veuillez le relire et l’accepter.",
  "joining.verb": "Oui, je participe à {name}",
  "joining.done": "Vous participez à {name}. Bonne chance !",
};
