import { T, useSay, type Reader } from "../../kit/reader.tsx";
import {
  ROBOTS_REQUESTS,
  SCAN_BOUNDS,
  CHAIN_REQUESTS,
  CHECK_TIMEOUT_MS,
  FIRST_BYTE_TIMEOUT_MS,
  HOST_BOUNDS,
  MAX_ASSETS,
  MAX_CONNECTIONS,
  MAX_LINKS,
  MAX_NAMED_FILES,
  MAX_REDIRECTS,
  MAX_REQUESTS,
  MISSING_FILE_REQUESTS,
  NOT_FOUND_REQUESTS,
  PAGE_REQUESTS,
  STEP_REQUESTS,
} from "../../../base/bounds.ts";
import type { Text, Language } from "../../../../shared/language.ts";
import { FigureTable } from "../../kit/components.tsx";
import { renderDocument, type Site } from "../../kit/document.tsx";

const { hostHour, visitorHour, visitorDay } = SCAN_BOUNDS;

const SCANS_TITLE: Text = { fr: "Les analyses publiques", en: "Public scans" };

const BOUNDS: Text = {
  fr: `Un serveur peut proposer la même vérification sans compte : toute personne qui saisit l'URL d'une page en reçoit le rapport. Un même hôte est ainsi analysé au plus ${hostHour} fois par heure, quel que soit le nombre de visiteurs. Un visiteur peut demander au plus ${visitorHour} analyses par heure et ${visitorDay} par jour. Une page analysée il y a moins de dix minutes n'est analysée de nouveau que sur demande, et au plus une fois par minute.`,
  en: `A server may offer the same check without an account: anyone who enters the URL of a page gets its report. A host is scanned in this way at most ${hostHour} times an hour, regardless of the number of visitors. A visitor may ask for ${visitorHour} scans an hour and ${visitorDay} a day. A page that was scanned less than ten minutes ago is scanned again only if someone asks for it, and at most once a minute.`,
};

const REFUSE: Text = {
  fr: "Pour refuser les analyses publiques d'un site, ajoutez à son fichier /robots.txt un groupe destiné à shipscore ; les groupes des autres robots, * compris, ne comptent pas :",
  en: "To refuse public scans of a site, add a group that names shipscore to its /robots.txt. Groups for other robots, including *, do not count:",
};

const ROBOTS_READ: Text = {
  fr: `Ce fichier est récupéré avant une analyse, au plus une fois par jour pour un même hôte et un même port. Sa lecture prend au plus ${ROBOTS_REQUESTS} requêtes, redirections comprises, en plus de celles ci-dessus et avec le même User-Agent. Un fichier absent ou illisible ne refuse rien ; s'il n'a pas pu être lu à cause d'une panne, il est récupéré de nouveau au plus tôt cinq minutes après. Les vérifications lancées depuis un compte ne sont pas concernées.`,
  en: `This file is requested before a scan, at most once a day for one host and port. Reading it takes at most ${ROBOTS_REQUESTS} requests, including redirects, in addition to those above and with the same User-Agent. A file that is missing or cannot be understood refuses nothing. If a failure prevented reading the file, it is requested again after five minutes at the earliest. Checks made from an account are not affected.`,
};

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
        <T text={ROBOTS_READ} />
      </p>
    </>
  );
}

interface AboutPageOptions {
  publicUrl: string | undefined;
  userAgent: string;
  /** Between two probes of a watched URL. 0 if this server does not probe by itself. */
  cycleSeconds: number;
  site?: Site;
}

const TITLE: Text = {
  fr: "Les requêtes d'une vérification de shipscore",
  en: "The requests of a shipscore check",
};
const DESCRIPTION: Text = {
  fr: "Les requêtes que shipscore envoie à un site, leur fréquence, comment les reconnaître et les refuser.",
  en: "What a shipscore check requests from a site, how often, how to recognize it and how to refuse it.",
};

const { account, all } = HOST_BOUNDS;
const CHECK_SECONDS = CHECK_TIMEOUT_MS / 1000;
const FIRST_BYTE_SECONDS = FIRST_BYTE_TIMEOUT_MS / 1000;

const NUMBERS: Readonly<Record<Language, string>> = {
  fr: "zéro une deux trois quatre cinq six sept huit neuf dix",
  en: "zero one two three four five six seven eight nine ten",
};

/** In French, the feminine form. */
const spell = (number: number, language: Language): string =>
  NUMBERS[language].split(" ")[number] ?? String(number);

function describeCycle(seconds: number): Text {
  if (seconds === 0)
    return {
      fr: "aussi souvent que l'administrateur de ce serveur le décide",
      en: "as often as the administrator of this server decides",
    };
  const minutes = seconds / 60;
  const isWhole = Number.isInteger(minutes) && minutes > 1;
  const fr = isWhole ? `${spell(minutes, "fr")} minutes` : `${seconds} secondes`;
  const en = isWhole ? `${spell(minutes, "en")} minutes` : `${seconds} seconds`;
  return {
    fr: `toutes les ${fr}, sauf réglage différent de l'administrateur de ce serveur`,
    en: `every ${en}, unless the administrator of this server has chosen otherwise`,
  };
}

/** At most `MAX_REQUESTS` in total. */
const REQUESTS: readonly { times: string; fr: string; en: string }[] = [
  {
    times: `1–${PAGE_REQUESTS + STEP_REQUESTS + 1}`,
    fr: `La page demandée (GET), et jusqu'à ${spell(MAX_REDIRECTS, "fr")} redirections ; les cookies reçus en chemin y sont renvoyés. Une seconde tentative, une seule, a lieu si la connexion échoue ou si le serveur répond par une erreur 5xx. Il n'y en a pas si la réponse tarde plus de ${FIRST_BYTE_SECONDS} secondes. Une page qui ne fait que renvoyer vers une autre du même site (rafraîchissement, script) est suivie une fois. Après un 406, la page est récupérée une fois de plus, avec l'en-tête Accept d'un navigateur.`,
    en: `The page (GET) and up to ${spell(MAX_REDIRECTS, "en")} redirects, with the cookies set along the way. A second attempt follows if the connection fails or the server responds with a 5xx error. None follows a response that takes over ${FIRST_BYTE_SECONDS} seconds. A page that only leads on to another one of the site (by a refresh or a script) is followed once. After a 406, the page is requested once more, with the Accept header of a browser.`,
  },
  {
    times: "1–2",
    fr: "La même page, avec un en-tête Origin étranger, pour lire la réponse CORS. Si la page redirige, cette requête est aussi envoyée à l'URL finale.",
    en: "The same page with a foreign Origin header, to read the CORS response. If the page redirects, this is repeated at the final URL.",
  },
  {
    times: `0–${CHAIN_REQUESTS}`,
    fr: "La même URL en http, sur le port 80, pour voir si elle redirige vers https.",
    en: "The same URL over http, on port 80, to see whether it redirects to https.",
  },
  {
    times: `1–${ROBOTS_REQUESTS + 1}`,
    fr: `robots.txt, en suivant jusqu'à ${spell(ROBOTS_REQUESTS - 1, "fr")} redirections, et le premier sitemap qu'il déclare.`,
    en: `robots.txt, following up to ${spell(ROBOTS_REQUESTS - 1, "en")} redirects, and the first sitemap that it declares.`,
  },
  {
    times: `1–${2 * NOT_FOUND_REQUESTS}`,
    fr: `Un chemin aléatoire, /shipscore-… suivi de seize chiffres hexadécimaux, pour voir si une page absente répond bien 404. Jusqu'à ${spell(NOT_FOUND_REQUESTS - 1, "fr")} redirections sont suivies tant qu'elles conservent ce chemin. Si la page redirige vers un autre hôte, ce chemin est aussi testé sur celui-ci.`,
    en: `One random path, /shipscore-… and sixteen hexadecimal digits, to see whether a missing page returns 404. Up to ${spell(NOT_FOUND_REQUESTS - 1, "en")} redirects are followed as long as they keep that path. If the page redirects, this is repeated on the final host.`,
  },
  {
    times: `0–${CHAIN_REQUESTS}`,
    fr: "La même URL avec ou sans www., pour voir si l'une redirige vers l'autre.",
    en: "The same URL with or without www., to see whether one redirects to the other.",
  },
  {
    times: "2–4",
    fr: "Deux négociations TLS sans requête : l'une ne propose que TLS 1.0 et 1.1, l'autre demande si HTTP/2 est disponible. Si la page redirige vers un autre hôte, elles ont aussi lieu avec celui-ci.",
    en: "Two TLS handshakes without a request: one offers only TLS 1.0 and 1.1, the other asks whether HTTP/2 is available. If the page redirects to another host, both are repeated there.",
  },
  {
    times: `0–${MAX_ASSETS + MAX_NAMED_FILES}`,
    fr: "Des fichiers que la page charge (GET, avec le Referer qu'enverrait un navigateur), scripts et styles d'abord, puis ceux que nomment ses styles et son manifeste. Les 512 premiers Kio des scripts et des styles du site sont lus, 5 Mo au plus avec la page ; les autres requêtes sont interrompues après les en-têtes. Un fichier qui redirige est récupéré une seconde fois, et ses redirections sont suivies, avec les cookies reçus en chemin.",
    en: "Files that the page loads (GET, with the Referer that a browser would send), scripts and styles first, then those that its styles and its manifest name. The first 512 KiB of the site's own scripts and styles are read, 5 MB at most with the page. The other requests are ended after the headers. A file that redirects is requested again, and its redirects are followed, with the cookies set along the way.",
  },
  {
    times: `0–${MISSING_FILE_REQUESTS}`,
    fr: `Un nom de fichier aléatoire, shipscore-… suivi de seize chiffres hexadécimaux, à côté d'un fichier versionné de la page, pour voir si un fichier absent répond par une page HTML. Jusqu'à ${spell(MISSING_FILE_REQUESTS - 1, "fr")} redirections sont suivies.`,
    en: `One random file name, shipscore-… and sixteen hexadecimal digits, beside a versioned file of the page, to see whether an HTML page is sent for a missing file. Up to ${spell(MISSING_FILE_REQUESTS - 1, "en")} redirects are followed.`,
  },
  {
    times: "0–3",
    fr: "Les images de la carte de partage (GET, début seulement) : la première og:image, et la première twitter:image si elle est différente. La première source map que déclare un fichier du site (HEAD).",
    en: "The images of the sharing card (GET, only the beginning is read): the first og:image, and the first twitter:image if it differs. Also the first source map that a file of the site declares (HEAD).",
  },
  {
    times: `0–${MAX_REQUESTS}`,
    fr: `Jusqu'à ${spell(MAX_LINKS, "fr")} liens de la page vers son propre hôte (HEAD, y compris de leurs redirections, puis GET si le serveur refuse HEAD), sauf ceux qui déconnectent ou désabonnent, et les liens nofollow.`,
    en: `Up to ${spell(MAX_LINKS, "en")} links of the page to its own host (HEAD, also of their redirects, then GET where the server refuses HEAD), except those that log out or unsubscribe, and nofollow links.`,
  },
];

const TABLE_LABEL: Text = { fr: "Les requêtes d'une vérification", en: "The requests of a check" };

const WORDS = {
  found: {
    fr: "Vous avez trouvé cette adresse dans le journal de votre serveur : quelqu'un a demandé à shipscore si l'une de vos pages est bonne à livrer.",
    en: "You found this URL in your server's log: someone asked shipscore whether one of your pages is fit to ship.",
  },
  recognize: { fr: "Reconnaître nos requêtes", en: "How to recognize our requests" },
  userAgent: {
    fr: "Toutes portent ce User-Agent, sans exception :",
    en: "Every request carries this User-Agent:",
  },
  requests: { fr: "Requêtes envoyées par une vérification", en: "Requests sent by a check" },
  bounds: {
    fr: `Au plus ${MAX_REQUESTS} requêtes en tout, en ${CHECK_SECONDS} secondes, sur ${MAX_CONNECTIONS} connexions simultanées par hôte et une requête à la fois par connexion ; toutes les connexions sont ensuite fermées. Une requête restée sans réponse, ou qui reçoit une erreur 5xx, est envoyée une seconde fois si cette limite le permet. Aucun script n'est exécuté, aucun formulaire rempli, aucune faille recherchée ; aucune valeur de cookie ni de paramètre d'URL n'est conservée.`,
    en: `At most ${MAX_REQUESTS} requests in all, within ${CHECK_SECONDS} seconds, over ${MAX_CONNECTIONS} simultaneous connections to a host, with one request at a time on each. Then all connections are closed. A request that got no response, or a 5xx error, is sent a second time if this limit allows it. No script is run, no form is filled in and no flaw is looked for. No value of a cookie or query parameter is kept.`,
  },
  often: { fr: "Fréquence", en: "How often" },
  robots: { fr: "Et robots.txt ?", en: "What about robots.txt?" },
  robotsIs: {
    fr: "La vérification lit robots.txt pour signaler ce qu'il interdit aux moteurs de recherche. Elle n'explore pas le site et n'indexe rien ; elle consulte une page à la demande d'une personne, et n'envoie aucune autre requête que celles de la liste ci-dessus. Demandée depuis un compte, elle a lieu même si robots.txt l'interdit.",
    en: "A check reads robots.txt to report what it disallows for search engines. It does not crawl the site, and it indexes nothing. It requests one page on behalf of the person who asked for it, and sends nothing but the list above. A check from an account takes place even if robots.txt disallows it.",
  },
  refuse: { fr: "Refuser, ou laisser passer", en: "How to refuse checks, or let them through" },
  refusal: {
    fr: "Filtrez le mot « shipscore » dans le User-Agent. Après une réponse 401, 403, 429, 451 ou 999, la vérification ne récupère aucun des fichiers ni des liens de la page. Un refus ne compte pas comme une panne : le verdict est alors non concluant.",
    en: "Filter on the word shipscore in the User-Agent. After a 401, 403, 429, 451 or 999 response, none of the page's files or links is requested. A refusal does not count as an outage: the verdict is then inconclusive.",
  },
  rules: { fr: "Ce que vérifie chaque règle :", en: "What each rule checks:" },
  rulesLink: { fr: "les règles du Ship Score", en: "the rules of the Ship Score" },
} as const;

function describeFrequency(cycleSeconds: number): Text {
  const cycle = describeCycle(cycleSeconds);
  return {
    fr: `Une vérification n'a lieu que si quelqu'un la demande, avec ou sans compte, ou surveille cette URL. Un même hôte n'en reçoit jamais plus de ${all.atOnce} à la fois ni plus de ${all.aMinute} par minute, quel que soit le nombre de demandeurs. Pour un même compte, il n'en reçoit jamais plus de ${account.atOnce} à la fois ni plus de ${account.aMinute} par minute. Une URL surveillée est en outre contrôlée ${cycle.fr}.`,
    en: `A check takes place only when someone asks for it, with or without an account, or watches the URL. A host never gets more than ${all.atOnce} checks at a time or ${all.aMinute} a minute, regardless of who asks. For one account, it never gets more than ${account.atOnce} at a time or ${account.aMinute} a minute. A watched URL is also probed ${cycle.en}.`,
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

/** The User-Agent links to this page, for site owners who find the requests in their logs. */
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
