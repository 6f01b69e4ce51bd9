import { findMove, type Move } from "../facts/domains.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  partial,
  pass,
  unknown,
} from "../rule.ts";

function judgeMove({ from, to, domains, kind, isPermanent }: Move): Judgement {
  const [asked, shown] = [cut(domains[0], 150), cut(domains[1], 150)];
  if (kind === "none" || kind === "same")
    return pass({ fr: `La page est bien sur ${shown}.`, en: `The page is on ${shown}, as asked.` });
  const seen = {
    fr: `L'adresse demandée est sur ${asked}, la page lue sur ${shown}.`,
    en: `The address asked for is on ${asked}, the page that was read on ${shown}.`,
  };
  if (kind === "login") return unknown(seen);
  if (kind === "redirector")
    return pass({
      fr: `${cut(from, 150)} ne sert qu'à rediriger : il mène ici à ${shown}.`,
      en: `${cut(from, 150)} exists only to redirect: here it leads to ${shown}.`,
    });
  if (kind === "own_domain")
    return pass({
      fr: `${asked}, le nom donné par l'hébergeur, mène à ${shown}.`,
      en: `${asked}, a name that the host gave, leads to ${shown}.`,
    });
  if (kind === "same_name")
    return pass({
      fr: `${asked} mène à ${shown}, le même nom sous une autre extension.`,
      en: `${asked} leads to ${shown}, the same name under another ending.`,
    });
  const end = cut(to, 150);
  const fix = {
    fr: `Si ${end} est bien l'adresse du site, vérifiez https://${end}/ ; sinon, retirez cette redirection et cherchez qui l'a mise en place.`,
    en: `If ${end} is the site's real address, check https://${end}/ instead; if not, remove this redirect and find out who put it there.`,
  };
  return isPermanent ? partial("moved", seen, fix) : fail(seen, fix);
}

export const redirectDomain: Rule = {
  id: "redir.domain",
  title: { fr: "Page du domaine demandé", en: "Page of the domain asked for" },
  measures: {
    fr: "Les redirections restent dans le domaine demandé ; sont admis les réducteurs d'adresses connus, le même nom sous une autre extension, et l'adresse d'un hébergeur qui mène au domaine du site. Une redirection permanente (301, 308) ne coûte que les points.",
    en: "The redirects stay within the domain asked for; known link shorteners, the same name under another ending, and a host's address that leads to the site's own domain are fine. A permanent redirect (301, 308) costs the points alone.",
  },
  matters: {
    fr: "La page notée n'est pas celle du domaine demandé : il a pu changer de mains, expirer ou être détourné.",
    en: "The page that was scored is not the domain's own: the domain may have changed hands, expired or been hijacked.",
  },
  fix: {
    fr: "Vérifiez l'adresse finale elle-même, ou retirez la redirection vers l'autre domaine.",
    en: "Check the final address itself, or remove the redirect to the other domain.",
  },
  standard: {
    name: "Public Suffix List",
    url: "https://publicsuffix.org/",
  },
  capReason: {
    fr: "La page lue est celle d'un autre domaine que celui demandé.",
    en: "The page that was read belongs to another domain than the one asked for.",
  },
  parents: () => ["redir.chain"],
  judge(evidence) {
    const move = findMove(evidence);
    if (!move) return unknown({ fr: "La page n'a pas été lue.", en: "The page was not read." });
    const isAddress = /^[\d.]+$|^\[/.test(move.from);
    if (isAddress)
      return notApplicable({
        fr: `${move.from} est une adresse IP, qui n'appartient à aucun domaine.`,
        en: `${move.from} is an IP address, which belongs to no domain.`,
      });
    return judgeMove(move);
  },
};
