// The French texts of the pages of certificates.

export default {
  certificates: "Diplômes",
  lead: "Choisissez un candidat pour voir et révoquer ses diplômes.",
  search: "Nom, e-mail ou établissement",
  candidate: "Candidat",
  school: "Établissement",
  candidates: { one: "Un candidat", other: "{count} candidats" },
  noCandidates: "Les candidats apparaissent ici quand ils s’inscrivent.",
  of: "Diplômes de {name}",
  exam: "Épreuve",
  rank: "Rang",
  awarded: "Décerné",
  code: "Code",
  action: "Action",
  none: "Ce candidat n’a pas de diplôme. Les meilleurs candidats en reçoivent un quand un classement est publié.",
  revoke: "Révoquer",
  revokes: "Toute personne qui vérifie le diplôme de {name} pour « {exam} » lira qu’il n’est pas valide. C’est irréversible.",
  revokeOne: "Révoquer un diplôme",
  revoked: "Le diplôme est révoqué.",
  waiting: { one: "Un diplôme n’est pas encore généré", other: "{count} diplômes ne sont pas encore générés" },
};
