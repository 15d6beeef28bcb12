// The texts of pieces that the page of an exam does not load, in French.

/** @type {import("../../../ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "mails.title": "E-mails",
  "mails.language": "Langue de vos e-mails",
  "mails.league": "Celle de la ligue",
  "mails.use": "Utiliser cette langue",
  "mails.saved": "Vos e-mails seront désormais dans cette langue.",

  "data.title": "Vos données",
  "data.why": "Vous pouvez obtenir un fichier avec une copie des données que nous conservons sur vous. Les notes qui ne sont pas encore publiées n’y sont pas. Nous vous envoyons un lien par e-mail ; il fonctionne pendant {span}, et seulement tant que vous ne vous déconnectez pas ici.",
  "data.download": "Télécharger mes données",
  "data.sent": "Nous rassemblons vos données. Vous recevrez un e-mail avec un lien. Ne vous déconnectez pas ici avant de l’avoir utilisé.",

  "list.found": { one: "{count} résultat", other: "{count} résultats" },
  "list.any": "Tous",
  "list.clear": "Effacer les filtres",
  "list.nothing": "Rien ne correspond à ces filtres : {filters}.",
  "list.range": "{from} à {to} sur {count}",
  "list.pages": "Pages de la liste",
  "list.previous": "Page précédente",
  "list.next": "Page suivante",
  "list.select": "Sélection",
  "list.selectOne": "Sélectionner",
  "list.selected": { one: "Sélection : {count}", other: "Sélection : {count}" },
  "list.selectPage": "Sélectionner cette page",
  "list.selectAll": "Sélectionner les {count}",
  "list.selectNone": "Ne rien sélectionner",

  "each.failed": { one: "{count} modification a échoué.", other: "{count} modifications ont échoué." },
  "each.reason": "« {name} » : {reason}.",
  "each.progress": "{done} sur {total} sont traités.",
  "each.tooMany": "Choisissez-en {count} au plus à la fois.",

  "form.date": "Date",
  "form.time": "Heure",
  "form.zone": "Heure de {city}.",
  "form.here": "Pour vous : {when}.",
  "form.large": { one: "Le fichier est trop volumineux. Il peut faire un Mio au plus.", other: "Le fichier est trop volumineux. Il peut faire {count} Mio au plus." },

  "charts.numbers": "Afficher les chiffres",
  "charts.name": "Nom",
  "charts.value": "Nombre",
  "charts.share": "Part",
  "charts.of": "{value} sur {of}",
};
