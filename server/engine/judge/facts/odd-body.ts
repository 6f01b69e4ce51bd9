import type { Language, Text } from "../../../../shared/language.ts";
import type { BodyOddity, Evidence } from "../../evidence/evidence.ts";
import { type Fix, writeText } from "../rule.ts";

const WORDS: Readonly<Record<BodyOddity, Text>> = {
  break: {
    fr: "la connexion se ferme avant la fin annoncée de la page",
    en: "the connection closes before the announced end of the page",
  },
  trailer: {
    fr: "la somme de contrôle de la compression manque ou est fausse",
    en: "the checksum of the compression is missing or wrong",
  },
  bytes_after: {
    fr: "d'autres octets suivent la fin de la page compressée",
    en: "other bytes follow the end of the compressed page",
  },
  members: {
    fr: "un second membre gzip, que les navigateurs ne lisent pas, suit la page",
    en: "a second gzip member, which browsers do not read, follows the page",
  },
};

export const ODD_BODY_FIX: Fix = {
  fr: "Envoyez la page entière, compressée une seule fois par un seul programme : vérifiez Content-Length, les délais du serveur et du proxy, et le code qui compresse.",
  en: "Send the whole page, compressed once by one program: check Content-Length, the timeouts of the server and the proxy, and the code that compresses.",
};

/** What is wrong with the page's body, although browsers show it. */
export function findOddBody({ page }: Evidence): Text | undefined {
  const oddities = page.body?.oddities ?? [];
  if (oddities.length === 0) return undefined;
  const list = (language: Language) => oddities.map((each) => WORDS[each][language]).join(", ");
  return writeText(list);
}
