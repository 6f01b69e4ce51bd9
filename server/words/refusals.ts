import type { Text } from "../base/language.ts";
import type { RefusalCode } from "../engine/evidence/failure.ts";
import { oneLine } from "../base/syntax/one-line.ts";

const MAX_HOST_LENGTH = 100;

const SENTENCES: Readonly<Record<RefusalCode, (host: { fr: string; en: string }) => Text>> = {
  unparseable: () => ({
    fr: "L'adresse n'est pas une URL valide. Donnez une adresse complète, par exemple https://www.example.com/.",
    en: "The address is not a valid URL. Give a complete one, for example https://www.example.com/.",
  }),
  not_https: () => ({
    fr: "L'adresse n'est pas en https. Donnez une adresse qui commence par https://.",
    en: "The address is not an https one. Give an address that begins with https://.",
  }),
  userinfo: () => ({
    fr: "L'adresse contient un identifiant ou un mot de passe. Retirez-les, ainsi que le signe « @ ».",
    en: "The address contains a user name or a password. Remove them, along with the “@”.",
  }),
  characters: () => ({
    fr: "L'adresse contient une espace, une barre oblique inversée ou un caractère invisible. Retirez ce caractère, ou encodez-le (%20 pour une espace).",
    en: "The address contains a space, a backslash or an invisible character. Remove it, or encode it (%20 for a space).",
  }),
  too_long: () => ({
    fr: "L'adresse dépasse 2 048 caractères. Donnez une adresse plus courte.",
    en: "The address is over 2,048 characters long. Give a shorter one.",
  }),
  port: () => ({
    fr: "Le port de l'adresse n'est pas autorisé : seuls 443 et 8443 le sont. Retirez le port, ou donnez l'un de ces deux.",
    en: "The port of the address is not allowed: only 443 and 8443 are. Remove the port, or give one of these two.",
  }),
  private: (host) => ({
    fr: `L'hôte${host.fr} est privé : son nom est réservé à un usage local, ou l'une de ses adresses n'est pas publique. Donnez l'adresse publique du site, ou demandez à l'exploitant du serveur d'autoriser ce réseau.`,
    en: `The host${host.en} is private: its name is reserved for local use, or one of its addresses is not public. Give the site's public address, or ask the operator of the server to allow that network.`,
  }),
  not_found: (host) => ({
    fr: `L'hôte${host.fr} est introuvable : le DNS ne lui connaît aucune adresse. Vérifiez l'orthographe du nom, ou publiez-le dans le DNS.`,
    en: `The host${host.en} was not found: DNS knows no address for it. Check the spelling of the name, or publish it in DNS.`,
  }),
  dns_failure: (host) => ({
    fr: `Le DNS n'a pas su répondre au sujet de l'hôte${host.fr}. Vérifiez les serveurs de noms du domaine, puis réessayez.`,
    en: `DNS could not answer about the host${host.en}. Check the name servers of the domain, then try again.`,
  }),
  dns_timeout: (host) => ({
    fr: `Le DNS n'a pas répondu à temps au sujet de l'hôte${host.fr}. Vérifiez les serveurs de noms du domaine, ou réessayez dans un instant.`,
    en: `DNS did not answer in time about the host${host.en}. Check the name servers of the domain, or try again in a moment.`,
  }),
};

/** Two sentences: why a URL was refused, and what to do. They repeat only the host of the input, shortened. */
export function describeRefusal(refusal: { code: RefusalCode; host: string | null }): Text {
  const host = refusal.host === null ? "" : oneLine(refusal.host, MAX_HOST_LENGTH);
  const named = host === "" ? { fr: "", en: "" } : { fr: ` « ${host} »`, en: ` “${host}”` };
  return SENTENCES[refusal.code](named);
}
