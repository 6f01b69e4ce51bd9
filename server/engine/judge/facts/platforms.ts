import type { Text } from "../../../base/language.ts";
import type { Headers } from "../../evidence/exchange.ts";
import { headerValues } from "../../evidence/page.ts";

/** A host or CDN on which a site is set up in a panel, not in a web server's file. */
interface Platform {
  readonly name: string;
  /** What its answers give as Server. */
  readonly server: RegExp;
  /** Where http is redirected to https. */
  readonly https: Text;
  /** Where the headers of its responses are set. */
  readonly headers: Text;
  readonly compression?: Text;
  readonly http2?: Text;
  /** Which versions of TLS and cipher suites it accepts. */
  readonly tls?: Text;
  /** Where one of its hosts is redirected to another. */
  readonly redirect: string;
  /** What its certificates show: their issuer, or a name of its own that they cover. */
  readonly issuer: RegExp;
  readonly certificate: Text;
}

/** The host redirects before it forwards, so its switch cannot loop as a redirect behind it can (RFC 9110, 15.4). */
export const PLATFORMS: readonly Platform[] = [
  {
    name: "Cloudflare",
    server: /^cloudflare$/i,
    https: {
      fr: "Dans Cloudflare, activez SSL/TLS > Edge Certificates > Always Use HTTPS ; en mode Flexible, une redirection sur le serveur d'origine tournerait en boucle.",
      en: "In Cloudflare, turn on SSL/TLS > Edge Certificates > Always Use HTTPS; in Flexible mode, a redirect on the origin server would loop.",
    },
    headers: {
      fr: "Dans Cloudflare, ajoutez-le par Rules > Transform Rules > Modify Response Header ; dans Pages, par le fichier _headers.",
      en: "In Cloudflare, add it with Rules > Transform Rules > Modify Response Header; in Pages, with the file _headers.",
    },
    compression: {
      fr: "Cloudflare compresse lui-même les réponses, sauf si elles ont Cache-Control: no-transform ou si une Compression Rule l'empêche : retirez cette cause.",
      en: "Cloudflare compresses responses itself, unless they have Cache-Control: no-transform or a compression rule prevents it: remove this cause.",
    },
    http2: {
      fr: "Dans Cloudflare, activez Speed > Settings > Protocol Optimization > HTTP/2.",
      en: "In Cloudflare, turn on Speed > Settings > Protocol Optimization > HTTP/2.",
    },
    tls: {
      fr: "Dans Cloudflare, réglez SSL/TLS > Edge Certificates > Minimum TLS Version sur TLS 1.2.",
      en: "In Cloudflare, set SSL/TLS > Edge Certificates > Minimum TLS Version to TLS 1.2.",
    },
    redirect: "Cloudflare: Rules > Redirect Rules",
    issuer: /O="?Cloudflare, Inc|dns:sni\.cloudflaressl\.com$/im,
    certificate: {
      fr: "Dans Cloudflare, ouvrez SSL/TLS > Edge Certificates et vérifiez que le certificat couvre ce nom et se renouvelle.",
      en: "In Cloudflare, open SSL/TLS > Edge Certificates and check that the certificate covers this name and is renewed.",
    },
  },
  {
    name: "CloudFront",
    server: /^(?:CloudFront|AmazonS3|awselb\/.*)$/i,
    https: {
      fr: "Dans CloudFront, réglez Viewer protocol policy sur Redirect HTTP to HTTPS ; dans un Application Load Balancer, ajoutez au port 80 une règle qui redirige vers https.",
      en: "In CloudFront, set the viewer protocol policy to Redirect HTTP to HTTPS; in an Application Load Balancer, add a rule to port 80 that redirects to https.",
    },
    headers: {
      fr: "Dans CloudFront, ajoutez-le par une response headers policy, attachée au comportement de la distribution ; S3 seul ne peut pas l'envoyer.",
      en: "In CloudFront, add it with a response headers policy attached to the behavior of the distribution; S3 alone cannot send it.",
    },
    compression: {
      fr: "Dans CloudFront, activez Compress objects automatically pour le comportement, avec une cache policy qui accepte gzip et Brotli ; S3 seul ne compresse rien.",
      en: "In CloudFront, turn on Compress objects automatically for the behavior, with a cache policy that accepts gzip and Brotli; S3 alone compresses nothing.",
    },
    http2: {
      fr: "Dans CloudFront, ajoutez HTTP/2 aux Supported HTTP versions de la distribution ; S3 seul ne le prend pas en charge.",
      en: "In CloudFront, add HTTP/2 to the supported HTTP versions of the distribution; S3 alone does not support it.",
    },
    tls: {
      fr: "Dans CloudFront, réglez la Security policy de la distribution sur TLSv1.2_2021 ou une plus récente ; dans un répartiteur de charge, celle de l'écouteur https.",
      en: "In CloudFront, set the distribution's security policy to TLSv1.2_2021 or a newer one; in a load balancer, that of the https listener.",
    },
    redirect: "CloudFront Functions: viewer request",
    issuer: /O=Amazon(?:,|$)|dns:\*\.cloudfront\.net$/im,
    certificate: {
      fr: "Dans AWS Certificate Manager, vérifiez que le certificat couvre ce nom et se renouvelle (gardez son enregistrement DNS de validation) ; sinon, demandez-en un et attachez-le à la distribution ou au répartiteur de charge.",
      en: "In AWS Certificate Manager, check that the certificate covers this name and is renewed (keep its DNS validation record); otherwise request one and attach it to the distribution or load balancer.",
    },
  },
  {
    name: "Netlify",
    server: /^Netlify$/i,
    https: {
      fr: "Dans Netlify, ouvrez Domain management > HTTPS et activez Force HTTPS.",
      en: "In Netlify, open Domain management > HTTPS and turn on Force HTTPS.",
    },
    redirect: "Netlify: Domain management > Primary domain",
    headers: {
      fr: "Dans Netlify, ajoutez-le au fichier _headers du dossier publié, en retrait sous une ligne /*, ou à [[headers]] dans netlify.toml.",
      en: "In Netlify, add it to the file _headers of the published folder, indented below a line /*, or to [[headers]] in netlify.toml.",
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
      fr: "Dans Vercel, vérifiez que ce nom appartient au projet (Settings > Domains) : Vercel impose alors https.",
      en: "In Vercel, check that this name belongs to the project (Settings > Domains): Vercel then enforces https.",
    },
    redirect: "Vercel: Settings > Domains",
    headers: {
      fr: 'Dans Vercel, ajoutez-le à "headers" dans vercel.json, avec la source "/(.*)", ou dans la configuration du framework.',
      en: 'In Vercel, add it to "headers" in vercel.json, with the source "/(.*)", or in the framework\'s configuration.',
    },
    issuer: /dns:\*\.vercel\.app$/im,
    certificate: {
      fr: "Dans Vercel, ajoutez ce nom au projet (Settings > Domains) : Vercel émet alors le certificat.",
      en: "In Vercel, add this name to the project (Settings > Domains): Vercel then issues the certificate.",
    },
  },
  {
    name: "GitHub Pages",
    server: /^GitHub\.com$/i,
    https: {
      fr: "Dans le dépôt, ouvrez Settings > Pages et cochez Enforce HTTPS.",
      en: "In the repository, open Settings > Pages and tick Enforce HTTPS.",
    },
    redirect: "GitHub Pages: Settings > Pages > Custom domain",
    headers: {
      fr: "GitHub Pages ne peut pas l'envoyer : placez devant le site un CDN qui l'ajoute, comme Cloudflare, ou changez d'hébergeur.",
      en: "GitHub Pages cannot send it: put a CDN that adds it in front of the site, such as Cloudflare, or move to another hosting provider.",
    },
    issuer: /dns:\*\.github\.(?:io|com)$/im,
    certificate: {
      fr: "Dans le dépôt, ouvrez Settings > Pages, saisissez ce nom comme Custom domain, puis cochez Enforce HTTPS une fois le certificat émis.",
      en: "In the repository, open Settings > Pages, enter this name as the custom domain, then tick Enforce HTTPS once the certificate is issued.",
    },
  },
];

/** The platform that answered; undefined for a web server of one's own. */
export function findPlatform(headers: Headers = []): Platform | undefined {
  const servers = headerValues(headers, "server");
  return PLATFORMS.find(({ server }) => servers.some((value) => server.test(value)));
}
