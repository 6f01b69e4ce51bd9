/** What a person looks for on the pages of the public scan. */
export const WORDS = {
  fr: {
    address: "URL d'une page",
    scan: "Analyser",
    position: /En file d'attente, position \d/,
    visiting: "Chargement de la page",
    link: "Lien vers ce rapport",
    deleteReport: "Supprimer ce rapport",
    delete: "Supprimer",
    missing: "Analyse introuvable",
    refused: /est privé/,
  },
  en: {
    address: "Page URL",
    scan: "Scan",
    position: /In the queue, position \d/,
    visiting: "Loading the page",
    link: "Link to this report",
    deleteReport: "Delete this report",
    delete: "Delete",
    missing: "Scan not found",
    refused: /is private/,
  },
};
