// The French texts of the practice exam.

/** @type {import("../../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "practice.lead": "Dix questions et dix minutes. Rien ne compte : cette page fait semblant d’être la ligue, et aucune réponse ne quitte cet appareil.",
  "practice.step1": "Choisissez une réponse, et regardez le haut de la page : il indique où elle est enregistrée.",
  "practice.step2": "Appuyez sur « Simuler une coupure », continuez, puis rétablissez la connexion : vos réponses partent alors.",
  "practice.step3": "Appuyez sur « Simuler la perte de l’appareil » : les réponses que la ligue a reçues reviennent sur l’appareil suivant. Une réponse qui n’est que sur cet appareil est perdue avec lui.",
  "practice.step4": "Remettez vos réponses, comme le jour de l’épreuve.",
  "practice.leave": "Quitter",
  "practice.again": "S’entraîner encore",
  "practice.receipt": "Après une vraie épreuve, votre reçu apparaît ici. Vous pouvez l’enregistrer ou l’imprimer.",
  "practice.tries": "Essayez ce qui peut arriver le jour de l’épreuve.",
  "practice.cut": "Simuler une coupure",
  "practice.reconnect": "Rétablir la connexion",
  "practice.isCut": "La connexion est coupée. Continuez : vos réponses restent sur cet appareil, et partent dès que la connexion est rétablie.",
  "practice.isFound": "Ceci est un autre appareil. La ligue lui a envoyé vos réponses enregistrées.",
  "practice.loseDevice": "Simuler la perte de l’appareil",
  "practice.isLost": { one: "Ceci est un autre appareil. La ligue lui a envoyé vos réponses enregistrées. Votre dernier choix à la question {numbers} n’était que sur l’appareil perdu : refaites-le.", other: "Ceci est un autre appareil. La ligue lui a envoyé vos réponses enregistrées. Vos derniers choix aux questions {numbers} n’étaient que sur l’appareil perdu : refaites-les." },
};
