import { describeCount } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { getAnswer, listMembers, pageHeader } from "../../evidence/accessors.ts";
import { cookiesOf, isKnownSession, isSession } from "../facts/session-cookies.ts";
import {
  addLine,
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  partial,
  pass,
  unknownAtWorst,
  rfc,
} from "../rule.ts";
import type { Text } from "../../../../shared/language.ts";

type DrawnCookie = Evidence["drawnCookies"][number];

/** Returns how many seconds the response has been in a shared cache. Returns 0 if it is fresh or must not be shared. */
function findAge(evidence: Evidence): number {
  const [age = ""] = listMembers(pageHeader(evidence, "age"));
  const isPrivate = listMembers(pageHeader(evidence, "cache-control")).some((directive) =>
    /^(?:private|no-store)(?:\s*=|$)/i.test(directive),
  );
  return isPrivate || !/^\d+$/.test(age) ? 0 : Number(age);
}

/** A cookie that contains the session itself may have the same value for all visitors while the session is empty. */
function isGivenTwice({ isRepeated, isState }: DrawnCookie): boolean {
  return isRepeated === true && !isState;
}

/** If only its name suggests a session, a cookie may be the same for all visitors on purpose. */
function charge(cookie: DrawnCookie, found: Text): Judgement {
  return isKnownSession(cookie) ? fail(found) : partial("loose_name", found);
}

function findWorst(
  cookies: readonly DrawnCookie[],
  isFlawed: (cookie: DrawnCookie) => boolean,
): DrawnCookie | undefined {
  const flawed = cookies.filter(isFlawed);
  return flawed.find(isKnownSession) ?? flawed[0];
}

export const sharedCookie: Rule = {
  id: "cookie.shared",
  title: { fr: "Une session par visiteur", en: "One session per visitor" },
  measures: {
    fr: "Deux visiteurs ne reçoivent jamais un cookie de session avec la même valeur d'apparence aléatoire, et aucun cache partagé ne sert un tel cookie (Age). Si le nom du cookie n'est peut-être pas celui d'une session, seule la moitié des points est perdue.",
    en: "No two visitors get the same session cookie with a random-looking value, and no shared cache serves such a cookie (Age). If the cookie's name might not be that of a session, this costs only half the points.",
  },
  why: {
    fr: "Des visiteurs partagent une session : l'un peut voir le compte de l'autre.",
    en: "Visitors share a session: one can see another's account.",
  },
  fix: addLine(
    {
      fr: "Envoyez l'en-tête Cache-Control avec chaque réponse qui pose ce cookie, et configurez le cache pour qu'il ne conserve aucune réponse avec Set-Cookie.",
      en: "Send the Cache-Control header with every response that sets this cookie, and configure the cache to keep no response with Set-Cookie.",
    },
    "Cache-Control: private",
  ),
  standard: rfc(9111, "7.3"),
  capReason: {
    fr: "Plusieurs visiteurs reçoivent la même session : l'un peut voir le compte de l'autre.",
    en: "Several visitors get the same session: one can see another's account.",
  },
  parents: pageAnswer,
  judge(evidence) {
    const sessions = cookiesOf(evidence, [getAnswer(evidence)]).filter(isSession);
    if (sessions.length === 0)
      return notApplicable({
        fr: "La page ne pose aucun cookie de session.",
        en: "The page sets no session cookie.",
      });
    const names = new Set(sessions.map(({ name }) => name));
    const drawn = evidence.drawnCookies.filter(({ name }) => names.has(name));
    const repeated = findWorst(drawn, isGivenTwice);
    if (repeated) {
      const name = cut(repeated.name, 60);
      return charge(repeated, {
        fr: `Deux requêtes sans cookie ont reçu la même valeur du cookie ${name}.`,
        en: `Two requests without cookies got the same value of the cookie ${name}.`,
      });
    }
    const age = findAge(evidence);
    const cached = findWorst(drawn, ({ isRepeated }) => age > 0 && isRepeated !== false);
    if (cached) {
      const name = cut(cached.name, 60);
      return charge(cached, {
        fr: `Le cookie ${name} vient d'une réponse qu'un cache partagé conserve depuis ${describeCount(age, "fr")} s (Age: ${age}).`,
        en: `The cookie ${name} comes from a response that a shared cache has kept for ${describeCount(age, "en")} s (Age: ${age}).`,
      });
    }
    const unclear = findWorst(drawn, ({ isRepeated }) => isRepeated === null);
    if (unclear) {
      const found = {
        fr: "La page n'a pas créé deux sessions à comparer.",
        en: "The page did not create two sessions to compare.",
      };
      return unknownAtWorst(charge(unclear, found), found);
    }
    return pass(
      drawn.length > 0
        ? {
            fr: "Deux requêtes ont reçu deux sessions différentes.",
            en: "Two requests got two different sessions.",
          }
        : {
            fr: "Aucun cookie de session n'a une valeur d'apparence aléatoire.",
            en: "No session cookie has a random-looking value.",
          },
    );
  },
};
