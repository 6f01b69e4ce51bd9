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
    return pass({
      fr: `La page est sur ${shown}, comme demandé.`,
      en: `The page is on ${shown}, as requested.`,
    });
  const seen = {
    fr: `L'adresse demandée est sur ${asked}, mais la page est sur ${shown}.`,
    en: `The requested address is on ${asked}, but the page is on ${shown}.`,
  };
  if (kind === "login") return unknown(seen);
  if (kind === "redirector")
    return pass({
      fr: `${cut(from, 150)} ne sert qu'à rediriger, ici vers ${shown}.`,
      en: `${cut(from, 150)} exists only to redirect, here to ${shown}.`,
    });
  if (kind === "own_domain")
    return pass({
      fr: `${asked}, un nom donné par l'hébergeur, mène à ${shown}.`,
      en: `${asked}, a name given by the hosting provider, leads to ${shown}.`,
    });
  if (kind === "same_name")
    return pass({
      fr: `${asked} mène à ${shown}, le même nom avec une autre extension.`,
      en: `${asked} leads to ${shown}, the same name with another ending.`,
    });
  const end = cut(to, 150);
  const fix = {
    fr: `Si ${end} est la bonne adresse du site, vérifiez plutôt https://${end}/ ; sinon, retirez cette redirection et cherchez qui l'a mise en place.`,
    en: `If ${end} is the site's correct address, check https://${end}/ instead; if not, remove this redirect and find out who set it up.`,
  };
  return isPermanent ? partial("moved", seen, fix) : fail(seen, fix);
}

export const redirectDomain: Rule = {
  id: "redir.domain",
  title: { fr: "Domaine de la page", en: "Domain of the page" },
  measures: {
    fr: "Les redirections restent dans le domaine demandé. Sont admis les réducteurs d'adresses connus, le même nom avec une autre extension, et l'adresse d'un hébergeur qui mène au domaine du site. Une redirection permanente (301, 308) vers un autre domaine vaut la moitié des points.",
    en: "The redirects stay within the requested domain. Known link shorteners, the same name with another ending, and a hosting provider's address that leads to the site's own domain are accepted. A permanent redirect (301, 308) to another domain earns half the points.",
  },
  why: {
    fr: "La page notée n'est pas celle du domaine demandé : celui-ci a pu changer de mains, expirer ou être détourné.",
    en: "The scored page is not that of the requested domain, which may have changed hands, expired or been hijacked.",
  },
  fix: {
    fr: "Vérifiez plutôt l'adresse finale, ou retirez la redirection vers l'autre domaine.",
    en: "Check the final address instead, or remove the redirect to the other domain.",
  },
  standard: {
    name: "Public Suffix List",
    url: "https://publicsuffix.org/",
  },
  capReason: {
    fr: "La page est celle d'un autre domaine que le domaine demandé.",
    en: "The page belongs to a domain other than the one requested.",
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
