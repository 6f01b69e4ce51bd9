import type { Leak, Evidence } from "../../evidence/evidence.ts";
import type { Text } from "../../../../shared/language.ts";
import { DEBUG_HEADERS } from "../../evidence/debug-headers.ts";
import { findAnswer } from "../../evidence/accessors.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { withDirectives } from "../facts/web-server.ts";
import { type Fix, type Judgement, type Rule, cut, fail, pass, unknown } from "../rule.ts";

const FOLDER_FIX = {
  fr: "Mettez le site dans le dossier que ce serveur publie, à la place de sa page d'accueil, ou faites publier au serveur le dossier du site",
  en: "Put your site into the document root of this server, in place of its welcome page, or point the server to the folder of your site",
};

function inFolder(setting: string, folder: string): Text {
  return {
    fr: `${FOLDER_FIX.fr} (${setting}, souvent ${folder}).`,
    en: `${FOLDER_FIX.en} (${setting}, often ${folder}).`,
  };
}

/** Fixes by the name of what was recognized. The first match counts. */
const FIXES: readonly (readonly [name: RegExp, fix: Text])[] = [
  [/^(?:nginx|OpenResty) default/, inFolder("root", "/usr/share/nginx/html, /var/www/html")],
  [/^Apache default/, inFolder("DocumentRoot", "/var/www/html, /usr/local/apache2/htdocs")],
  [/^lighttpd default/, inFolder("server.document-root", "/var/www/html")],
  [/^Caddy default/, inFolder("root", "/usr/share/caddy")],
  [/^IIS default/, inFolder("Physical path", "C:\\inetpub\\wwwroot")],
  [/^Tomcat default/, inFolder("Context", "webapps/ROOT")],
  [/^WildFly default/, inFolder("context-root", "/")],
  [/^XAMPP default/, inFolder("DocumentRoot", "htdocs")],
  [/^(?:Plesk|cPanel) default/, inFolder("Document root", "httpdocs, public_html")],
  [
    /^(?:Azure|Firebase|Heroku) default|^IONOS/,
    {
      fr: "L'hébergement est prêt, mais vide : déployez-y le site, puis vérifiez que ce nom de domaine y mène.",
      en: "The hosting is ready but empty: deploy your site to it, then check that this domain name leads there.",
    },
  ],
  [
    /^WordPress installer/,
    {
      fr: "Terminez l'installation tout de suite : d'ici là, n'importe qui peut le faire à votre place.",
      en: "Finish the installation right away: until then, anyone can do it in your place.",
    },
  ],
  [
    /default page$/,
    {
      fr: "C'est la page d'accueil du framework : écrivez celle du site, ou déployez la version qui la contient. Désactivez aussi le mode de débogage.",
      en: "This is the welcome page of the framework: write the home page of your site, or deploy the version that has it. Also turn off debug mode.",
    },
  ],
  [
    /parking|marketplace/,
    {
      fr: "Ce nom de domaine mène à une page d'attente : faites pointer ses enregistrements DNS A et AAAA, ou CNAME, vers l'hébergeur du site.",
      en: "This domain name leads to a parking page: point its DNS records (A and AAAA, or CNAME) to the host of your site.",
    },
  ],
];

const INDEX_FIX = {
  fr: "Mettez un fichier index.html dans ce dossier, ou désactivez la liste des fichiers",
  en: "Put an index.html file into this folder, or turn off the directory index",
};
const INDEX_SETTINGS = { nginx: "autoindex off;", Apache: "Options -Indexes" };

function findFix(signature: string, evidence: Evidence): Fix | undefined {
  if (signature === "directory index")
    return withDirectives(INDEX_FIX, INDEX_SETTINGS, findAnswer(evidence));
  return FIXES.find(([name]) => name.test(signature))?.[1];
}

function describeLeak(
  isOnPage: boolean,
  { signature, offset }: Leak,
  evidence: Evidence,
): Judgement {
  const where = isOnPage
    ? { fr: "dans la page", en: "on the page" }
    : { fr: "dans la réponse à un chemin inconnu", en: "in the response to an unknown path" };
  const name = cut(signature, 120);
  return fail(
    {
      fr: `Trouvé ${where.fr} : ${name} (caractère ${offset}).`,
      en: `Found ${where.en}: ${name} (character ${offset}).`,
    },
    findFix(signature, evidence),
  );
}

function findDebugHeader(evidence: Evidence): Judgement | undefined {
  const headers = [...(findAnswer(evidence)?.headers ?? []), ...evidence.notFound.headers];
  const [name = ""] = headers.find(([other]) => DEBUG_HEADERS.has(other)) ?? [];
  const product = DEBUG_HEADERS.get(name);
  return product === undefined
    ? undefined
    : fail({
        fr: `L'en-tête ${name} vient d'un outil de débogage ouvert à tous : ${product}.`,
        en: `The header ${name} comes from a debugging tool open to everyone: ${product}.`,
      });
}

export const leak: Rule = {
  id: "reach.leak",
  title: { fr: "Pages par défaut et traces de débogage", en: "Default pages and debugging output" },
  measures: {
    fr: "La page et la page 404, en-têtes compris, ne révèlent ni page par défaut du serveur, ni liste de fichiers, ni trace d'erreur, ni outil de développement ou de débogage.",
    en: "The page and the 404 page, including their headers, reveal no server default page, directory index, stack trace, development server or debugging tool.",
  },
  why: {
    fr: "Le site n'est pas vraiment déployé, ou révèle à tous son code et ses chemins.",
    en: "The site is not really deployed, or reveals its code and paths to everyone.",
  },
  fix: {
    fr: "Déployez la version de production et désactivez le mode de débogage (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
    en: "Deploy the production build and turn off debug mode (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
  },
  standard: { name: "CWE-209, CWE-548", url: "https://cwe.mitre.org/data/definitions/209.html" },
  capReason: {
    fr: "Le site affiche une page par défaut ou des traces de débogage.",
    en: "The site shows a default page or debugging output.",
  },
  parents: ({ notFound }) => (notFound.leak ? ["reach.dns"] : ["reach.connect", "redir.chain"]),
  judge(evidence) {
    const unread = judgeUnread(evidence);
    const { body } = evidence.page;
    const own = unread ? null : (body?.leak ?? null);
    const found = own ?? evidence.notFound.leak;
    if (found) return describeLeak(own !== null, found, evidence);
    const opened = findDebugHeader(evidence);
    if (opened) return opened;
    if (unread) return unread;
    if (body?.state === "unsupported" || body?.state === "undecodable")
      return unknown({ fr: "La page n'a pas pu être lue.", en: "The page could not be read." });
    if (evidence.notFound.status === null)
      return unknown({
        fr: "La page ne révèle ni page par défaut ni trace de débogage ; la requête vers un chemin inconnu est restée sans réponse.",
        en: "The page reveals no default page or debugging output; the request for an unknown path got no response.",
      });
    return pass({
      fr: "Ni page par défaut ni trace de débogage, dans la page comme dans la réponse à un chemin inconnu.",
      en: "No default page or debugging output, on the page or in the response to an unknown path.",
    });
  },
};
