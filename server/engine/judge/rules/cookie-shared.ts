import type { Evidence } from "../../evidence/evidence.ts";
import { getAnswer, listMembers, pageHeader } from "../../evidence/page.ts";
import { cookiesOf, isKnownSession, isSession } from "../facts/session-cookies.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, notApplicable, pageAnswer, partial, pass, unknown, withLine } from "../rule.ts";
import type { Text } from "../../../base/language.ts";

type DrawnCookie = Evidence["drawnCookies"][number];

/** How many seconds the answer has been in a shared cache; 0 if it is fresh, or forbids shared caching. */
function findAge(evidence: Evidence): number {
  const [age = ""] = listMembers(pageHeader(evidence, "age"));
  const isPrivate = listMembers(pageHeader(evidence, "cache-control")).some((directive) =>
    /^(?:private|no-store)(?:\s*=|$)/i.test(directive),
  );
  return isPrivate || !/^\d+$/.test(age) ? 0 : Number(age);
}

/** Whether two visitors got the same session. One held in the cookie itself may be equal while it is empty. */
function isGivenTwice({ isRepeated, isState }: DrawnCookie): boolean {
  return isRepeated === true && !isState;
}

/** A name that only suggests a session may be one that is the same for everybody on purpose. */
function charge(cookie: DrawnCookie, seen: Text): Judgement {
  return isKnownSession(cookie) ? fail(seen) : partial("loose_name", seen);
}

/** The cookie that says most: a session beyond doubt before one that only may be. */
function findWorst(
  cookies: readonly DrawnCookie[],
  isFlawed: (cookie: DrawnCookie) => boolean,
): DrawnCookie | undefined {
  const flawed = cookies.filter(isFlawed);
  return flawed.find(isKnownSession) ?? flawed[0];
}

export const sharedCookie: Rule = {
  id: "cookie.shared",
  title: { fr: "Une session par visiteur", en: "A session for each visitor" },
  measures: {
    fr: "Aucun cookie de session dont la valeur semble aléatoire n'est donné, la même, à deux visiteurs, ni servi par un cache partagé (Age). Un nom qui peut être autre chose qu'une session ne coûte que la moitié.",
    en: "No session cookie whose value looks random is given alike to two visitors, or served from a shared cache (Age). A name that may be something else than a session costs half.",
  },
  matters: {
    fr: "Des visiteurs qui ne se connaissent pas partagent une session : l'un voit le compte de l'autre.",
    en: "Visitors who do not know each other share a session: one of them sees the other's account.",
  },
  fix: withLine(
    {
      fr: "Envoyez Cache-Control: private avec toute réponse qui pose ce cookie, et réglez le cache pour qu'il ne garde aucune réponse avec Set-Cookie.",
      en: "Send Cache-Control: private with every answer that sets this cookie, and have the cache keep no answer with Set-Cookie.",
    },
    "Cache-Control: private",
  ),
  standard: {
    name: "RFC 9111, 7.3",
    url: "https://www.rfc-editor.org/rfc/rfc9111#section-7.3",
  },
  capReason: {
    fr: "Plusieurs visiteurs reçoivent la même session, l'un pouvant voir le compte de l'autre.",
    en: "Several visitors are given the same session, so that one may see the other's account.",
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
        fr: `Le cookie ${name} a reçu la même valeur dans deux réponses à des visiteurs sans cookie.`,
        en: `The cookie ${name} was given the same value in two answers to visitors without cookies.`,
      });
    }
    const age = findAge(evidence);
    const cached = findWorst(drawn, ({ isRepeated }) => age > 0 && isRepeated !== false);
    if (cached) {
      const name = cut(cached.name, 60);
      return charge(cached, {
        fr: `Le cookie ${name} vient d'une réponse gardée depuis ${age} s par un cache partagé (Age: ${age}).`,
        en: `The cookie ${name} comes from an answer that a shared cache has kept for ${age} s (Age: ${age}).`,
      });
    }
    if (drawn.some(({ isRepeated }) => isRepeated === null))
      return unknown({
        fr: "La page n'a pas donné deux sessions que l'on puisse comparer.",
        en: "The page did not give two sessions that could be compared.",
      });
    return pass(
      drawn.length > 0
        ? { fr: "Deux visites, deux sessions.", en: "Two visits, two sessions." }
        : {
            fr: "Aucun cookie de session n'a de valeur qui semble aléatoire.",
            en: "No session cookie has a value that looks random.",
          },
    );
  },
};
