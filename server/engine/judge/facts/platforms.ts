import type { Text } from "../../../base/language.ts";
import type { Headers } from "../../evidence/exchange.ts";
import type { Tls } from "../../evidence/tls.ts";
import { headerValues } from "../../evidence/page.ts";

/** A host or CDN on which a site is set up in a panel, not in a web server's file. */
interface Platform {
  readonly name: string;
  /** What its answers give as Server. */
  readonly server: RegExp;
  /** Where http is redirected to https. */
  readonly https: Text;
  /** What its certificates show: their issuer, or a name of its own that they cover. */
  readonly issuer: RegExp;
  readonly certificate: Text;
}

const PLATFORMS: readonly Platform[] = [
  {
    name: "Cloudflare",
    server: /^cloudflare$/i,
    https: {
      fr: "Dans Cloudflare, activez SSL/TLS, Edge Certificates, Always Use HTTPS ; une redirection sur le serveur d'origine tournerait en rond en mode Flexible.",
      en: "In Cloudflare, turn on SSL/TLS, Edge Certificates, Always Use HTTPS; a redirect on the origin server would loop in Flexible mode.",
    },
    issuer: /O="?Cloudflare, Inc|dns:sni\.cloudflaressl\.com$/im,
    certificate: {
      fr: "Dans Cloudflare, ouvrez SSL/TLS, Edge Certificates, et vérifiez que le certificat comprend ce nom et se renouvelle.",
      en: "In Cloudflare, open SSL/TLS, Edge Certificates, and see that the certificate includes this name and is renewed.",
    },
  },
  {
    name: "CloudFront",
    server: /^(?:CloudFront|AmazonS3|awselb\/.*)$/i,
    https: {
      fr: "Dans CloudFront, choisissez Redirect HTTP to HTTPS comme Viewer protocol policy ; dans un Application Load Balancer, ajoutez au port 80 une règle qui redirige vers HTTPS.",
      en: "In CloudFront, choose Redirect HTTP to HTTPS as the viewer protocol policy; in an Application Load Balancer, give port 80 a rule that redirects to HTTPS.",
    },
    issuer: /O=Amazon(?:,|$)|dns:\*\.cloudfront\.net$/im,
    certificate: {
      fr: "Dans AWS Certificate Manager, vérifiez que le certificat comprend ce nom et se renouvelle (son enregistrement DNS de validation doit rester) ; sinon, demandez-en un, puis attachez-le à la distribution ou au répartiteur.",
      en: "In AWS Certificate Manager, see that the certificate includes this name and is renewed (its DNS validation record has to stay); otherwise request one, and attach it to the distribution or load balancer.",
    },
  },
  {
    name: "Netlify",
    server: /^Netlify$/i,
    https: {
      fr: "Dans Netlify, ouvrez Domain management, HTTPS, et activez Force HTTPS.",
      en: "In Netlify, open Domain management, HTTPS, and turn on Force HTTPS.",
    },
    issuer: /dns:\*\.netlify\.app$/im,
    certificate: {
      fr: "Dans Netlify, ajoutez ce nom au site (Domain management) et renouvelez son certificat.",
      en: "In Netlify, add this name to the site (Domain management) and renew its certificate.",
    },
  },
  {
    name: "Vercel",
    server: /^Vercel$/i,
    https: {
      fr: "Dans Vercel, vérifiez que ce nom est rattaché au projet (Settings, Domains) : https y est imposé.",
      en: "In Vercel, see that this name belongs to the project (Settings, Domains): https is enforced there.",
    },
    issuer: /dns:\*\.vercel\.app$/im,
    certificate: {
      fr: "Dans Vercel, ajoutez ce nom au projet (Settings, Domains) ; le certificat suit.",
      en: "In Vercel, add this name to the project (Settings, Domains); the certificate follows.",
    },
  },
  {
    name: "GitHub Pages",
    server: /^GitHub\.com$/i,
    https: {
      fr: "Dans le dépôt, ouvrez Settings, Pages, et cochez Enforce HTTPS.",
      en: "In the repository, open Settings, Pages, and tick Enforce HTTPS.",
    },
    issuer: /dns:\*\.github\.(?:io|com)$/im,
    certificate: {
      fr: "Dans le dépôt, ouvrez Settings, Pages, saisissez ce nom comme Custom domain, et cochez Enforce HTTPS une fois le certificat émis.",
      en: "In the repository, open Settings, Pages, enter this name as the custom domain, and tick Enforce HTTPS once the certificate is issued.",
    },
  },
];

/** The platform that answered; undefined for a web server of one's own. */
export function findPlatform(headers: Headers = []): Platform | undefined {
  const servers = headerValues(headers, "server");
  return PLATFORMS.find(({ server }) => servers.some((value) => server.test(value)));
}

/** The platform that renews the certificate; undefined where its owner may do so. */
export function findCertificateKeeper({ certificate }: Tls): Platform | undefined {
  const shown = [certificate.issuer, ...certificate.sans].join("\n");
  return PLATFORMS.find(({ issuer }) => issuer.test(shown));
}
