/** What a person looks for on the pages of the public scan. */
export const WORDS = {
  fr: {
    address: "Adresse d'une page",
    scan: "Analyser",
    place: /En attente, à la place \d/,
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
    place: /Waiting, at place \d/,
    visiting: "Loading the page",
    link: "Link to this report",
    deleteReport: "Delete this report",
    delete: "Delete",
    missing: "Scan not found",
    refused: /is private/,
  },
};
