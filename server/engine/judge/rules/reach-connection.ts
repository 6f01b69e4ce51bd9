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
import { findFix, isUnrouted } from "../facts/failure-fixes.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { judgeUnread, refusesHttp1 } from "../facts/gatekeeper.ts";
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
    fr: "Une connexion TCP et TLS s'ouvre et une réponse arrive en 4 secondes, au besoin à la seconde tentative. Si la machine qui effectue la vérification n'a pas accès à la famille d'adresses du site (IPv6), la règle est indéterminée.",
    en: "A TCP and TLS connection opens and a response arrives within 4 seconds, on the second attempt if necessary. If the machine that runs the check has no access to the site's address family (IPv6), the rule is unknown.",
  },
  why: {
    fr: "Les visiteurs ne voient qu'une page d'erreur de leur navigateur.",
    en: "Visitors only see their browser's error page.",
  },
  fix: {
    fr: "Vérifiez que le serveur fonctionne, qu'il écoute sur le port de l'URL et que le pare-feu ouvre ce port à tous.",
    en: "Check that the server is running, that it listens on the port in the URL, and that the firewall opens this port to everyone.",
  },
  standard: rfc(9110, "4.2.2"),
  capReason: {
    fr: "Le serveur ne répond pas : il n'y a pas de page à évaluer.",
    en: "The server does not respond: there is no page to assess.",
  },
  parents: () => ["reach.dns"],
  judge(evidence) {
    const givenUp = judgeGivenUp(evidence);
    if (givenUp) return givenUp;
    const { hops, failure, attempts } = evidence.page;
    const address = hops.at(-1)?.address ?? evidence.dns.addresses[0] ?? evidence.dns.host;
    if (!failure && hops.length > 0)
      return pass({ fr: `${address} a répondu.`, en: `${address} responded.` });
    if (!failure)
      return fail({ fr: `${address} n'a pas répondu.`, en: `${address} did not respond.` });
    if (refusesHttp1(evidence))
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

export const status: Rule = {
  id: "reach.status",
  title: { fr: "Statut de la réponse", en: "Response status" },
  measures: {
    fr: "La page répond par un statut 2xx. Un 401, 403, 429, 451 ou 999, le 406 d'un filtre ou une page de défi rend la règle indéterminée.",
    en: "The page responds with a 2xx status. A 401, 403, 429, 451 or 999, a filter's 406 or a challenge page makes the rule unknown.",
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
    fr: "La page répond par une erreur, que les visiteurs voient à sa place.",
    en: "The page responds with an error, and visitors see that error instead of the page.",
  },
  parents: (evidence) => [judgeUnread(evidence) ? "reach.connect" : "redir.chain"],
  judge(evidence) {
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    const answer = getAnswer(evidence);
    const { url, status: code } = answer;
    const found = {
      fr: `${cut(url, 200)} répond ${code}.`,
      en: `${cut(url, 200)} responds with ${code}.`,
    };
    if (code >= 200 && code < 300) return pass(found);
    if (code === 404 || code === 410 || isMissingInBucket(answer)) return fail(found, MISSING_FIX);
    return code < 400 ? fail(found, REDIRECT_FIX) : fail(found);
  },
};
