import { T, useSay, type Reader } from "../../kit/reader.tsx";
import {
  ROBOTS_REQUESTS,
  SCAN_BOUNDS,
  CHAIN_REQUESTS,
  CHECK_TIMEOUT_MS,
  HOST_BOUNDS,
  MAX_ASSETS,
  MAX_CONNECTIONS,
  MAX_LINKS,
  MAX_REDIRECTS,
  MAX_REQUESTS,
  NOT_FOUND_REQUESTS,
  PAGE_REQUESTS,
  REQUEST_TIMEOUT_MS,
} from "../../../base/bounds.ts";
import type { Text, Language } from "../../../../shared/language.ts";
import { FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";

const { hostHour, visitorHour, visitorDay } = SCAN_BOUNDS;

const SCANS_TITLE: Text = { fr: "Les analyses publiques", en: "Public scans" };

const BOUNDS: Text = {
  fr: `Un serveur peut offrir la même vérification sans compte : qui tape l'adresse d'une page en reçoit le rapport. Un même hôte est analysé ainsi au plus ${hostHour} fois par heure, quel que soit le nombre de visiteurs, et un visiteur demande au plus ${visitorHour} analyses par heure et ${visitorDay} par jour. Une page analysée depuis moins de dix minutes n'est analysée de nouveau que si quelqu'un le demande, et au plus une fois par minute.`,
  en: `A server may offer the same check without an account: whoever types the address of a page gets its report. One host is scanned at most ${hostHour} times an hour in this way, whoever asks, and a visitor may ask for ${visitorHour} scans an hour and ${visitorDay} a day. A page that was scanned less than ten minutes ago is scanned again only if someone asks for that, and at most once a minute.`,
};

const REFUSE: Text = {
  fr: "Pour refuser les analyses publiques d'un site, ajoutez à son fichier /robots.txt un groupe qui nomme shipscore ; ceux des autres robots, * compris, ne comptent pas :",
  en: "To refuse public scans of a site, add a group that names shipscore to its /robots.txt; those of other robots, * included, do not count:",
};

const ASKED: Text = {
  fr: `Ce fichier est demandé avant une analyse, et au plus une fois par jour pour un même hôte et un même port : avec le même User-Agent, en ${ROBOTS_REQUESTS} requêtes au plus, redirections comprises, en plus de celles ci-dessus. Un fichier absent ou illisible ne refuse rien ; s'il n'a pas pu être lu à cause d'une panne, il est redemandé cinq minutes plus tard au plus tôt. Les vérifications demandées depuis un compte ne sont pas concernées.`,
  en: `This file is requested before a scan, and at most once a day for one host and port: with the same User-Agent, in ${ROBOTS_REQUESTS} requests at most, redirects included, in addition to those above. A file that is missing or cannot be understood refuses nothing; one that cannot be read because of a failure is requested again after five minutes at the earliest. Checks that accounts ask for are not concerned.`,
};

/** What the owners of sites should know about public scans: how many there are, and how to refuse them. */
function PublicScans() {
  return (
    <>
      <h2>
        <T text={SCANS_TITLE} />
      </h2>
      <p>
        <T text={BOUNDS} />
      </p>
      <p>
        <T text={REFUSE} />
      </p>
      <pre>
        <code>{"User-agent: shipscore\nDisallow: /"}</code>
      </pre>
      <p>
        <T text={ASKED} />
      </p>
    </>
  );
}

interface AboutPageOptions {
  /** This server's public URL, if the operator has set one. */
  publicUrl: string | undefined;
  /** The User-Agent of every request that a check sends. */
  userAgent: string;
  /** The time between two looks at a watched URL; 0 if this server looks at none by itself. */
  cycleSeconds: number;
  site?: Site;
}

const TITLE: Text = { fr: "Les vérifications de shipscore", en: "What a shipscore check asks for" };
const DESCRIPTION: Text = {
  fr: "Ce qu'une vérification de shipscore demande à un site, à quelle fréquence, comment la reconnaître et la refuser.",
  en: "What a shipscore check asks a site for, how often, how to recognize it and how to refuse it.",
};

const { account, all } = HOST_BOUNDS;
const CHECK_SECONDS = CHECK_TIMEOUT_MS / 1000;
const REQUEST_SECONDS = REQUEST_TIMEOUT_MS / 1000;

/** The words for the numbers from zero on. */
const NUMBERS: Readonly<Record<Language, string>> = {
  fr: "zéro une deux trois quatre cinq six sept huit neuf dix",
  en: "zero one two three four five six seven eight nine ten",
};

/** A feminine number in words, up to ten. */
const spell = (number: number, language: Language): string =>
  NUMBERS[language].split(" ")[number] ?? String(number);

/** How often a watched address is checked. */
function describeCycle(seconds: number): Text {
  if (seconds === 0)
    return {
      fr: "aussi souvent que l'exploitant de ce serveur le décide",
      en: "as often as the operator of this server decides",
    };
  const minutes = seconds / 60;
  const isWhole = Number.isInteger(minutes) && minutes > 1;
  const fr = isWhole ? `${spell(minutes, "fr")} minutes` : `${seconds} secondes`;
  const en = isWhole ? `${spell(minutes, "en")} minutes` : `${seconds} seconds`;
  return {
    fr: `toutes les ${fr} si l'exploitant de ce serveur n'en a pas décidé autrement`,
    en: `every ${en} unless the operator of this server chose otherwise`,
  };
}

/** The requests that a check sends to a site, and how many of each; at most `MAX_REQUESTS` in all. */
const REQUESTS: readonly { times: string; fr: string; en: string }[] = [
  {
    times: `1–${PAGE_REQUESTS}`,
    fr: `La page demandée (GET), et jusqu'à ${spell(MAX_REDIRECTS, "fr")} redirections, auxquelles les cookies reçus en chemin sont rendus ; un second essai, un seul, si la connexion échoue, si le serveur répond par une erreur 5xx, ou s'il tarde plus de ${REQUEST_SECONDS} secondes.`,
    en: `The page (GET) and up to ${spell(MAX_REDIRECTS, "en")} redirects, which get the cookies set on the way back; one second try, if the connection fails, the server answers with a 5xx error, or it takes over ${REQUEST_SECONDS} seconds.`,
  },
  {
    times: "1–2",
    fr: "La même page, avec un en-tête Origin étranger, pour lire la réponse CORS ; de nouveau là où les redirections mènent.",
    en: "The same page with a foreign Origin header, to read the CORS answer; again where redirects lead.",
  },
  {
    times: `0–${CHAIN_REQUESTS}`,
    fr: "La même adresse en http, sur le port 80, pour voir si elle mène à https.",
    en: "The same address over http, on port 80, to see whether it leads to https.",
  },
  {
    times: `1–${ROBOTS_REQUESTS + 1}`,
    fr: `robots.txt, jusqu'à ${spell(ROBOTS_REQUESTS - 1, "fr")} redirections comprises, et le premier plan du site qu'il nomme.`,
    en: `robots.txt, through ${spell(ROBOTS_REQUESTS - 1, "en")} redirects at most, and the first sitemap that it names.`,
  },
  {
    times: `1–${2 * NOT_FOUND_REQUESTS}`,
    fr: `Un chemin tiré au hasard, /shipscore-… suivi de seize chiffres hexadécimaux, pour voir si une page absente répond bien 404, jusqu'à ${spell(NOT_FOUND_REQUESTS - 1, "fr")} redirections comprises si elles gardent ce chemin ; de nouveau là où celles de la page mènent.`,
    en: `One random path, /shipscore-… and sixteen hexadecimal digits, to see whether a missing page answers 404, through ${spell(NOT_FOUND_REQUESTS - 1, "en")} redirects at most where they keep that path; again where the page's redirects lead.`,
  },
  {
    times: `0–${CHAIN_REQUESTS}`,
    fr: "La même adresse avec ou sans www., pour voir si l'une mène à l'autre.",
    en: "The same address with or without www., to see whether one leads to the other.",
  },
  {
    times: "2–4",
    fr: "Deux négociations TLS sans requête : l'une ne propose que TLS 1.0 et 1.1, l'autre demande si HTTP/2 est disponible ; de nouveau si les redirections mènent à un autre hôte.",
    en: "Two TLS handshakes without a request: one offers only TLS 1.0 and 1.1, the other asks whether HTTP/2 is there; again where redirects lead to another host.",
  },
  {
    times: `0–${MAX_ASSETS}`,
    fr: "Des fichiers que la page charge (GET, avec le Referer qu'enverrait un navigateur), scripts et styles d'abord ; les 512 premiers Ko des scripts et des styles du site sont lus, 2,5 Mo au plus avec la page, les autres sont interrompus après les en-têtes.",
    en: "Files that the page loads (GET, with the Referer that a browser would send), scripts and styles first; the first 512 KB of the site's own scripts and styles are read, 2.5 MB at most with the page, and the others are ended after the headers.",
  },
  {
    times: "0–3",
    fr: "Les images de la carte de partage (GET, dont le début est lu) : la première og:image, et la première twitter:image si c'est une autre ; le premier plan de sources (sourceMappingURL) que nomme un fichier du site (HEAD).",
    en: "The images of the sharing card (GET, the beginning is read): the first og:image, and the first twitter:image if that is another one; the first source map that a file of the site names (HEAD).",
  },
  {
    times: `0–${2 * MAX_LINKS}`,
    fr: `Jusqu'à ${spell(MAX_LINKS, "fr")} liens de la page vers son propre hôte (HEAD, puis GET si le serveur refuse HEAD), sauf ceux qui déconnectent ou désabonnent, et les liens nofollow.`,
    en: `Up to ${spell(MAX_LINKS, "en")} links of the page to its own host (HEAD, then GET where the server refuses HEAD), but none that logs out or unsubscribes, and no nofollow link.`,
  },
];

const TABLE_LABEL: Text = { fr: "Les requêtes d'une vérification", en: "The requests of a check" };

const WORDS = {
  found: {
    fr: "Vous avez trouvé cette adresse dans le journal de votre serveur : quelqu'un a demandé à shipscore si l'une de vos pages est bonne à livrer.",
    en: "You found this address in your server's log: someone asked shipscore whether one of your pages is fit to ship.",
  },
  recognize: { fr: "Reconnaître nos requêtes", en: "How to recognize our requests" },
  userAgent: {
    fr: "Toutes portent ce User-Agent, sans exception :",
    en: "Every request carries this User-Agent:",
  },
  requests: { fr: "Ce que demande une vérification", en: "What a check asks for" },
  bounds: {
    fr: `Au plus ${MAX_REQUESTS} requêtes en tout, en ${CHECK_SECONDS} secondes, sur ${MAX_CONNECTIONS} connexions à la fois par hôte et une requête à la fois par connexion ; puis toutes les connexions sont fermées. Une requête restée sans réponse, ou qui reçoit une erreur 5xx, est envoyée une seconde fois si le compte le permet. Aucun script n'est exécuté, aucun formulaire rempli, aucune faille cherchée ; ni valeur de cookie ni valeur de paramètre d'adresse n'est gardée.`,
    en: `At most ${MAX_REQUESTS} requests in all, within ${CHECK_SECONDS} seconds, over ${MAX_CONNECTIONS} connections to a host at once and one request at a time on each; then all connections are closed. A request that got no answer, or a 5xx error, is sent a second time if the count allows. No script is run, no form filled in, no flaw looked for; no value of a cookie or of a query parameter is kept.`,
  },
  often: { fr: "À quelle fréquence", en: "How often" },
  robots: { fr: "Et robots.txt ?", en: "What about robots.txt?" },
  robotsIs: {
    fr: "La vérification lit robots.txt pour dire ce qu'il ferme aux moteurs de recherche. Elle n'explore pas le site et n'indexe rien ; elle demande une page pour la personne qui l'a voulu, et n'envoie rien d'autre que la liste ci-dessus. Demandée depuis un compte, elle a lieu que robots.txt l'interdise ou non.",
    en: "A check reads robots.txt to say what it closes to search engines. It does not crawl the site and indexes nothing; it asks for one page on behalf of the person who wanted it, and sends nothing but the list above. A check from an account takes place whether robots.txt allows it or not.",
  },
  refuse: { fr: "Refuser, ou laisser passer", en: "How to refuse checks, or let them through" },
  refusal: {
    fr: "Filtrez le mot « shipscore » dans le User-Agent. À une réponse 401, 403 ou 429, la vérification ne demande aucun des fichiers ni des liens de la page. Un refus n'est pas compté comme une panne : le verdict est alors non concluant.",
    en: "Filter on the word shipscore in the User-Agent. Where the answer is 401, 403 or 429, none of the page's files and links are asked for. A refusal does not count as an outage: the verdict is then inconclusive.",
  },
  rules: { fr: "Ce que mesure chaque règle :", en: "What each rule measures:" },
  rulesLink: { fr: "les règles du Ship Score", en: "the rules of the Ship Score" },
} as const;

function describeFrequency(cycleSeconds: number): Text {
  const cycle = describeCycle(cycleSeconds);
  return {
    fr: `Une vérification n'a lieu que si quelqu'un la demande, depuis un compte ou non, ou surveille cette adresse. Un même hôte n'en reçoit jamais plus de ${all.atOnce} à la fois ni plus de ${all.aMinute} par minute, quel que soit le nombre de demandeurs, et jamais plus de ${account.atOnce} à la fois ni plus de ${account.aMinute} par minute pour un même compte. Une adresse surveillée est vérifiée en plus, ${cycle.fr}.`,
    en: `A check takes place only when someone asks for it, with an account or without, or watches the address. One host never gets more than ${all.atOnce} at once or ${all.aMinute} a minute, whoever asks for them, nor more than ${account.atOnce} at once or ${account.aMinute} a minute for one account. A watched address is checked besides, ${cycle.en}.`,
  };
}

interface AboutPageProps {
  rulesUrl: string;
  userAgent: string;
  cycleSeconds: number;
}

function AboutPage({ rulesUrl, userAgent, cycleSeconds }: AboutPageProps) {
  const say = useSay();
  return (
    <>
      <h1>
        <T text={TITLE} />
      </h1>
      <p>
        <T text={WORDS.found} />
      </p>
      <h2>
        <T text={WORDS.recognize} />
      </h2>
      <p>
        <T text={WORDS.userAgent} />
      </p>
      <pre>
        <code>{userAgent}</code>
      </pre>
      <h2>
        <T text={WORDS.requests} />
      </h2>
      <FigureTable
        label={TABLE_LABEL}
        rows={REQUESTS.map((request) => [say(request), request.times])}
      />
      <p>
        <T text={WORDS.bounds} />
      </p>
      <h2>
        <T text={WORDS.often} />
      </h2>
      <p>
        <T text={describeFrequency(cycleSeconds)} />
      </p>
      <h2>
        <T text={WORDS.robots} />
      </h2>
      <p>
        <T text={WORDS.robotsIs} />
      </p>
      <PublicScans />
      <h2>
        <T text={WORDS.refuse} />
      </h2>
      <p>
        <T text={WORDS.refusal} />
      </p>
      <p>
        <T text={WORDS.rules} />{" "}
        <a href={rulesUrl}>
          <T text={WORDS.rulesLink} />
        </a>
        .
      </p>
    </>
  );
}

/** The page that the User-Agent links to: it explains the requests to site owners who find them in their logs. */
export function renderAboutPage(
  { publicUrl, site = {}, ...page }: AboutPageOptions,
  reader: Reader,
): string {
  const rulesUrl = publicUrl === undefined ? "/docs/rules" : new URL("/docs/rules", publicUrl).href;
  return renderDocument({
    ...reader,
    title: TITLE,
    description: DESCRIPTION,
    site,
    children: <AboutPage {...page} rulesUrl={rulesUrl} />,
  });
}
