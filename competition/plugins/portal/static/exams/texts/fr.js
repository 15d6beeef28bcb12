// The French texts of the subject `exams`.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "exams.open": "En cours",
  "exams.upcoming": "À venir",
  "exams.past": "Passées",
  "exams.noneOpen": "Aucune épreuve n’est ouverte pour vous en ce moment.",
  "exams.noneUpcoming": "Aucune épreuve n’est encore prévue pour vous. Elle apparaîtra ici.",
  "exams.noOther": "Aucune autre épreuve n’est encore prévue. La prochaine apparaîtra ici.",
  "exams.nonePast": "Les épreuves apparaissent ici lorsqu’elles sont terminées, avec votre résultat.",
  "exams.isOpen": "Ouverte",
  "exams.submitted": "Copie remise",
  "exams.missed": "Manquée",
  "exams.opens": "Ouverture",
  "exams.closes": "Fermeture",
  "exams.closed": "Fermeture",
  "exams.time": "Votre temps",
  "exams.questions": "Questions",
  "exams.go": "Aller à l’épreuve",
  "exams.receipt": "Voir le reçu",
  "exams.result": "Voir le résultat",
  "exams.running": "En cours, se termine à {time}",
  "exams.timeOver": "Temps écoulé",
  "exams.goOn": "Continuer",
};
