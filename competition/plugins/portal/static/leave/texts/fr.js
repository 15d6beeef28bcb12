// The French texts of the subject `leave`.

/** @type {import("../../../../pages/static/ground/texts.js").Translation<typeof import("./en.js").default>} */
export default {
  "leave.title": "Se déconnecter maintenant ?",
  "leave.what": { one: "Une de vos réponses à une épreuve n’est enregistrée que sur cet appareil. Si vous vous déconnectez, elle sera supprimée. Ouvrez l’épreuve pour l’envoyer.", other: "{count} de vos réponses à une épreuve ne sont enregistrées que sur cet appareil. Si vous vous déconnectez, elles seront supprimées. Ouvrez l’épreuve pour les envoyer." },
  "leave.silent": { one: "Un autre onglet de ce site ne répond pas. Si une épreuve y est ouverte, regardez-la d’abord : la déconnexion peut supprimer des réponses que la ligue n’a pas reçues.", other: "{count} autres onglets de ce site ne répondent pas. Si une épreuve y est ouverte, regardez-la d’abord : la déconnexion peut supprimer des réponses que la ligue n’a pas reçues." },
  "leave.anyway": "Se déconnecter",
  "leave.verb": { one: "Se déconnecter et supprimer une réponse", other: "Se déconnecter et supprimer {count} réponses" },
};
