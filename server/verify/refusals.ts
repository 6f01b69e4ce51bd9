import type { Text } from "../language.ts";
import type { RefusalCode } from "../probe/evidence.ts";
import { text } from "./rule.ts";

const REFUSALS: Readonly<Record<RefusalCode, Text>> = {
  unparseable: text("l'adresse n'est pas une URL", "the address is not a URL"),
  not_https: text("l'adresse n'est pas en https", "the address is not https"),
  userinfo: text("l'adresse contient un identifiant", "the address holds user information"),
  characters: text(
    "l'adresse contient un caractère interdit",
    "the address holds a forbidden character",
  ),
  too_long: text("l'adresse est trop longue", "the address is too long"),
  port: text("le port n'est ni 443 ni 8443", "the port is neither 443 nor 8443"),
  private: text("le nom mène à une adresse privée", "the name leads to a private address"),
  not_found: text("le nom n'existe pas dans le DNS", "the name does not exist in the DNS"),
  dns_failure: text("le serveur DNS répond par une erreur", "the DNS server answers with an error"),
  dns_timeout: text(
    "le serveur DNS ne répond pas à temps",
    "the DNS server does not answer in time",
  ),
};

/** Why the guard refused an address, as the end of a sentence. */
export function describeRefusal(code: RefusalCode): Text {
  return REFUSALS[code];
}
