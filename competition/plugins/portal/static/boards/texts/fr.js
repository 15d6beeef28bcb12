// The French texts of the subject `boards`.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "boards.title": "Classement",
  "boards.none": "Aucun classement n’est encore publié. Les classements apparaissent ici après les épreuves.",
  "boards.noneEarlier": "Il n’y a aucun classement de cette saison que vous puissiez voir. Vous voyez ceux de l’étape Sélection et ceux où vous figurez.",
  "boards.unverified": "Vous verrez les classements quand la ligue aura validé votre identité. Cette page indique où en est la vérification :",
  "boards.hidden": "La ligue ne montre pas les classements en ce moment.",
  "boards.notThis": "Ce classement n’est pas encore publié.",
  "boards.board": "Classement",
  "boards.candidates": "Candidats",
  "boards.count": "{count}",
  "boards.average": "Moyenne",
  "boards.percent": "{score} %",
  "boards.own": "Vous êtes au rang {rank} sur {count}, avec {score} %.",
  "boards.notRanked": "Vous ne figurez pas dans ce classement.",
  "boards.result": "Voir votre résultat",
  "boards.print": "Imprimer le classement",
  "boards.jump": "Aller au rang {rank}",
  "boards.rankAndName": "Rang et candidat",
  "boards.you": "Vous",
  "boards.score": "Note",
  "boards.time": "Temps utilisé",
  "boards.by_standard": "Les notes égales partagent un rang, et les rangs suivants sont sautés.",
  "boards.by_dense": "Les notes égales partagent un rang.",
  "boards.by_time": "À note égale, le temps le plus court donne le meilleur rang.",
};
