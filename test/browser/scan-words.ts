/** What a person looks for on the pages of the public scan. */
export const WORDS = {
  fr: {
    address: "Adresse d'une page",
    scan: "Analyser",
    position: /En attente, en position \d/,
    visiting: "Chargement de la page",
    link: "Lien vers ce rapport",
    deleteReport: "Supprimer ce rapport",
    delete: "Supprimer",
    missing: "Analyse introuvable",
    refused: /est privé/,
  },
  en: {
    address: "Address of a page",
    scan: "Scan",
    position: /Waiting, at position \d/,
    visiting: "Loading the page",
    link: "Link to this report",
    deleteReport: "Delete this report",
    delete: "Delete",
    missing: "Scan not found",
    refused: /is private/,
  },
};
