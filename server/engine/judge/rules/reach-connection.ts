import type { Evidence } from "../../evidence/evidence.ts";
import { GiveUpCode } from "../../evidence/exchange.ts";
import {
  type Judgement,
  unknown,
  type Rule,
  cut,
  fail,
  notApplicable,
  pass,
  rfc,
} from "../rule.ts";
import { findFix, findParseFault, isUnrouted } from "../facts/failure-fixes.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { judgeUnread, needsHttp2 } from "../facts/gatekeeper.ts";
import { getAnswer, urlOf } from "../../evidence/accessors.ts";
import { phraseRefusal, findRefusalFix } from "../facts/url-refusals.ts";
import { listMoves } from "./redir-https.ts";

const REASONS = {
  hung: {
    fr: "La vérification de cette page a été interrompue : son analyse ne se terminait pas.",
    en: "The check of this page was stopped: its analysis did not finish.",
  },
  crashed: {
    fr: "La vérification de cette page a été interrompue : le programme qui l'analysait a planté.",
    en: "The check of this page was stopped: the program that was analyzing it crashed.",
  },
  failed: {
    fr: "La vérification de cette page a échoué à cause d'une erreur interne de shipscore.",
    en: "The check failed on this page because of an internal error in shipscore.",
  },
};

const FIX = {
  fr: "Transmettez l'identifiant de cette vérification à l'administrateur du serveur : rien n'indique que la page soit en cause.",
  en: "Send the ID of this check to the server's administrator: nothing suggests that the page is at fault.",
};

function judgeGivenUp({ page }: Evidence): Judgement | undefined {
  if (page.failure?.phase !== "check") return undefined;
  return unknown(REASONS[GiveUpCode.catch("failed").parse(page.failure.code)], FIX);
}

export const dns: Rule = {
  id: "reach.dns",
  title: { fr: "Nom dans le DNS", en: "Name in the DNS" },
  measures: {
    fr: "Le nom a au moins une adresse IP, et toutes ses adresses A et AAAA sont publiques.",
    en: "The name has at least one IP address, and all of its A and AAAA addresses are public.",
  },
  why: {
    fr: "Sans adresse IP publique, personne ne peut atteindre la page.",
    en: "Without a public IP address, nobody can reach the page.",
  },
  fix: {
    fr: "Ajoutez ou corrigez l'enregistrement A ou AAAA de ce nom chez votre fournisseur DNS.",
    en: "Add or correct the A or AAAA record of this name at your DNS provider.",
  },
  standard: rfc(1034, "3.6"),
  capReason: {
    fr: "Le nom ne se résout en aucune adresse IP utilisable : il n'y a pas de page à évaluer.",
    en: "The name resolves to no usable IP address: there is no page to assess.",
  },
  parents: () => [],
  judge({ url, dns: { host, kind, refusal, addresses, durationMs } }) {
    if (refusal !== null) {
      const why = phraseRefusal(refusal);
      const name = cut(host || url, 200);
      return fail(
        { fr: `${name} : ${why.fr}.`, en: `${name}: ${why.en}.` },
        findRefusalFix(refusal),
      );
    }
    if (kind === "literal")
      return notApplicable({
        fr: `${host} est une adresse IP, pas un nom.`,
        en: `${host} is an IP address, not a name.`,
      });
    const list = cut(addresses.join(", "), 200);
    const ms = Math.round(durationMs);
    return pass({
      fr: `${host} se résout en ${list} (${ms} ms).`,
      en: `${host} resolves to ${list} (${ms} ms).`,
    });
  },
};

const PHASES = {
  guard: { fr: "avant la connexion", en: "before connecting" },
  connect: { fr: "à la connexion", en: "while connecting" },
  tls: { fr: "pendant la négociation TLS", en: "during the TLS handshake" },
  response: { fr: "en attendant la réponse", en: "while waiting for the response" },
  body: { fr: "pendant la lecture de la page", en: "while reading the page" },
  http1: { fr: "en HTTP/1.1", en: "over HTTP/1.1" },
  deadline: { fr: "faute de réponse à temps", en: "because no response came in time" },
  check: { fr: "quand la vérification a été interrompue", en: "when the check was stopped" },
} as const;

function findFailedUrl({ url, page }: Evidence): URL {
  return listMoves(page).at(-1)?.to ?? urlOf(url);
}

function judgeUnrouted(host: string): Judgement {
  return unknown(
    {
      fr: `La machine qui effectue la vérification ne peut atteindre aucune adresse IP de ${host} : elle n'a pas accès à cette famille d'adresses (IPv4 ou IPv6).`,
      en: `The machine that runs the check cannot reach any IP address of ${host}: it has no access to that address family (IPv4 or IPv6).`,
    },
    {
      fr: `Lancez la vérification depuis une machine qui a accès à IPv6, ou ajoutez un enregistrement A à ${host}. Sans cet enregistrement, beaucoup de visiteurs ne peuvent pas non plus atteindre le site.`,
      en: `Run the check from a machine with IPv6, or add an A record to ${host}. Without this record, many visitors cannot reach the site either.`,
    },
  );
}

export const connect: Rule = {
  id: "reach.connect",
  title: { fr: "Connexion au serveur", en: "Connection to the server" },
  measures: {
    fr: "Une connexion TCP et TLS s'ouvre et une réponse commence en 10 secondes, au besoin à la seconde tentative. Ses en-têtes sont de ceux que les navigateurs acceptent. Si la machine qui effectue la vérification n'a pas accès à la famille d'adresses du site (IPv6), la règle est indéterminée.",
    en: "A TCP and TLS connection opens and a response begins within 10 seconds, on the second attempt if necessary. Browsers accept its headers. If the machine that runs the check has no access to the site's address family (IPv6), the rule is unknown.",
  },
  why: {
    fr: "Les visiteurs n'obtiennent pas la page, ou l'attendent trop longtemps.",
    en: "Visitors do not get the page, or wait too long for it.",
  },
  fix: {
    fr: "Vérifiez que le serveur fonctionne, qu'il écoute sur le port de l'URL et que le pare-feu ouvre ce port à tous.",
    en: "Check that the server is running, that it listens on the port in the URL, and that the firewall opens this port to everyone.",
  },
  standard: rfc(9110, "4.2.2"),
  capReason: {
    fr: "Aucune page n'est arrivée à temps, ou les navigateurs la refusent : il n'y a rien à évaluer.",
    en: "No page arrived in time, or browsers refuse it: there is nothing to assess.",
  },
  parents: () => ["reach.dns"],
  judge(evidence) {
    const givenUp = judgeGivenUp(evidence);
    if (givenUp) return givenUp;
    const { hops, failure, stop, attempts } = evidence.page;
    const address = hops.at(-1)?.address ?? evidence.dns.addresses[0] ?? evidence.dns.host;
    if ((!failure || stop) && hops.length > 0)
      return pass({ fr: `${address} a répondu.`, en: `${address} responded.` });
    if (!failure)
      return fail({ fr: `${address} n'a pas répondu.`, en: `${address} did not respond.` });
    const fault = findParseFault(failure);
    const unread = needsHttp2(evidence) && fault ? judgeUnread(evidence) : undefined;
    if (unread) return unread;
    if (needsHttp2(evidence))
      return pass({
        fr: `${address} répond, mais refuse HTTP/1.1, la version qu'utilise la vérification.`,
        en: `${address} responds, but refuses HTTP/1.1, the version that the check uses.`,
      });
    const url = findFailedUrl(evidence);
    if (isUnrouted(failure)) return judgeUnrouted(url.hostname);
    const phase = PHASES[failure.phase];
    const code = cut(failure.code, 80);
    const tries =
      attempts > 1 ? { fr: ", deux fois de suite", en: ", twice in a row" } : { fr: "", en: "" };
    const to = cut(url.href, 150);
    if (fault)
      return fail(
        {
          fr: `Les navigateurs ne peuvent pas lire la réponse de ${to} : ${fault.what.fr} (${code})${tries.fr}.`,
          en: `Browsers cannot read the response of ${to}: ${fault.what.en} (${code})${tries.en}.`,
        },
        fault.fix,
      );
    if (failure.phase === "deadline")
      return fail(
        {
          fr: `Pas de réponse de ${to} en 10 secondes.`,
          en: `No response from ${to} within 10 seconds.`,
        },
        findFix(failure, url),
      );
    return fail(
      {
        fr: `La requête vers ${to} a échoué ${phase.fr} (${code})${tries.fr}.`,
        en: `The request to ${to} failed ${phase.en} (${code})${tries.en}.`,
      },
      findFix(failure, url),
    );
  },
};

const MISSING_FIX = {
  fr: "Déployez la page à cette URL, ou corrigez l'URL : le serveur répond, mais n'a pas cette page.",
  en: "Deploy the page at this URL, or correct the URL: the server responds, but does not have this page.",
};

const REDIRECT_FIX = {
  fr: "Ajoutez à cette redirection un en-tête Location, avec un statut que les navigateurs suivent (301, 302, 303, 307 ou 308), ou répondez 200.",
  en: "Add a Location header to this redirect, with a status that browsers follow (301, 302, 303, 307 or 308), or respond with 200.",
};

const STATUS_LINE_FIX = {
  fr: "Écrivez un statut de trois chiffres, comme 200 : cherchez ce qui écrit la première ligne de la réponse (curl -v l'affiche).",
  en: "Write a status of three digits, such as 200: look for what writes the first line of the response (curl -v shows it).",
};

function judgeStatusless(shown: string): Judgement {
  return fail(
    {
      fr: `${shown} répond avec un statut qui n'a pas trois chiffres.`,
      en: `${shown} responds with a status that does not have three digits.`,
    },
    STATUS_LINE_FIX,
  );
}

function judgeUnfollowed(shown: string, code: number): Judgement {
  return fail(
    {
      fr: `${shown} répond ${code}, une redirection sans en-tête Location que les navigateurs suivent.`,
      en: `${shown} responds with ${code}, a redirect without a Location header that browsers follow.`,
    },
    REDIRECT_FIX,
  );
}

export const status: Rule = {
  id: "reach.status",
  title: { fr: "Statut de la réponse", en: "Response status" },
  measures: {
    fr: "La page répond par un statut 2xx de trois chiffres. Un 401, 403, 429, 451 ou 999, le 406 d'un filtre ou une page de défi rend la règle indéterminée.",
    en: "The page responds with a 2xx status of three digits. A 401, 403, 429, 451 or 999, a filter's 406 or a challenge page makes the rule unknown.",
  },
  why: {
    fr: "Les visiteurs et les moteurs de recherche reçoivent une erreur à la place de la page.",
    en: "Visitors and search engines get an error in place of the page.",
  },
  fix: {
    fr: "Cherchez ce statut dans le journal du serveur, puis corrigez la route ou l'erreur qui le produit.",
    en: "Look for this status in the server's log, then fix the route or the error that causes it.",
  },
  standard: rfc(9110, "15"),
  capReason: {
    fr: "La réponse n'est pas une page : les visiteurs voient une erreur, ou rien, à sa place.",
    en: "The response is not the page: visitors see an error, or nothing, in its place.",
  },
  parents: (evidence) => [judgeUnread(evidence) ? "reach.connect" : "redir.chain"],
  judge(evidence) {
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    const answer = getAnswer(evidence);
    const { url, status: code } = answer;
    const shown = cut(url, 200);
    if (code === 0) return judgeStatusless(shown);
    const found = { fr: `${shown} répond ${code}.`, en: `${shown} responds with ${code}.` };
    if (code >= 200 && code < 300) return pass(found);
    if (code === 404 || code === 410 || isMissingInBucket(answer)) return fail(found, MISSING_FIX);
    return code >= 300 && code < 400 ? judgeUnfollowed(shown, code) : fail(found);
  },
};
