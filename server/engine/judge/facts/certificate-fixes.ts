import type { Text } from "../../../base/language.ts";
import type { Hop } from "../../evidence/exchange.ts";
import type { Tls } from "../../evidence/tls.ts";
import { cut } from "../rule.ts";
import { findPlatform, PLATFORMS } from "./platforms.ts";

/** Authorities that give certificates to ACME clients alone. */
const OF_CLIENTS = /O="?(?:Let's Encrypt|ZeroSSL|ISRG)/;
const ORGANIZATION = /(?:^|, )O="?([^",=]{1,80})/;

/** What to do on the platform that renews the certificate, by what this shows or by who answers; undefined where its owner renews it. */
export function findKeeperFix(
  { host, certificate }: Tls,
  hops: readonly Hop[] = [],
): Text | undefined {
  const shown = [certificate.issuer, ...certificate.sans].join("\n");
  const answer = hops.find(({ tls }) => tls?.host === host);
  const keeper = PLATFORMS.find(({ issuer }) => issuer.test(shown));
  return (keeper ?? findPlatform(answer?.headers))?.certificate;
}

/** Whether the certificate came by an ACME client, such as certbot. */
export function isOfClient({ certificate }: Tls): boolean {
  return OF_CLIENTS.test(certificate.issuer);
}

/** How the certificate is renewed. Until the reload the old one stays, so that no visitor meets a worse one (RFC 5280, 4.1.2.5). */
export function fixRenewal(tls: Tls, hops?: readonly Hop[]): Text {
  const keeper = findKeeperFix(tls, hops);
  if (keeper) return keeper;
  if (isOfClient(tls))
    return {
      fr: "Renouvelez le certificat avec le client ACME qui l'a obtenu (certbot renew --cert-name NOM ; certbot certificates donne les noms), puis rechargez le serveur : jusque-là, il sert encore l'ancien.",
      en: "Renew the certificate with the ACME client that obtained it (certbot renew --cert-name NAME; certbot certificates lists the names), then reload the server: until then it still serves the old one.",
    };
  const by = cut(ORGANIZATION.exec(tls.certificate.issuer)?.[1] ?? "", 60);
  const named = by === "" ? "" : ` (${by})`;
  return {
    fr: `Renouvelez le certificat chez votre hébergeur ou auprès de son autorité${named}, ou obtenez-en un par ACME, qui se renouvelle seul (certbot), puis rechargez le serveur : jusque-là, il sert encore l'ancien.`,
    en: `Renew the certificate at your hosting provider or its authority${named}, or get one with ACME, which renews itself (certbot), then reload the server: until then it still serves the old one.`,
  };
}
