// The French texts of the subject `inbox`.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "inbox.markAll": { one: "Marquer une comme lue", other: "Marquer {count} comme lues" },
  "inbox.marked": { one: "Une notification est marquée comme lue.", other: "{count} notifications sont marquées comme lues." },
  "inbox.none": "Vous n’avez pas encore de notifications. Les messages que la ligue vous envoie apparaissent ici.",
  "inbox.unread": "Non lues ({count})",
  "inbox.allRead": "Vous avez tout lu. Les nouvelles notifications apparaissent ici immédiatement.",
  "inbox.markOne": "Marquer comme lue",
  "inbox.more": { one: "Il y a une notification non lue plus ancienne.", other: "Il y a {count} notifications non lues plus anciennes." },
  "inbox.read": "Lues",
  "inbox.message": "Notification",
  "inbox.when": "Reçue",
};
