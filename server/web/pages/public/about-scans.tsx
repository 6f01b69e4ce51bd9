import { T } from "../../kit/reader.tsx";
import { ROBOTS_REQUESTS, SCAN_BOUNDS } from "../../../base/bounds.ts";
import type { Text } from "../../../base/language.ts";

const { hostHour, visitorHour, visitorDay } = SCAN_BOUNDS;

const TITLE: Text = { fr: "Les analyses publiques", en: "Public scans" };

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
export function PublicScans() {
  return (
    <>
      <h2>
        <T text={TITLE} />
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
