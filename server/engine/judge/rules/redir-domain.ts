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
      fr: `La page est bien sur ${shown}.`,
      en: `The page is on ${shown}, as requested.`,
    });
  const found = {
    fr: `L'URL demandée est sur ${asked}, mais la page est sur ${shown}.`,
    en: `The requested URL is on ${asked}, but the page is on ${shown}.`,
  };
  if (kind === "login") return unknown(found);
  if (kind === "redirector")
    return pass({
      fr: `${cut(from, 150)} ne sert qu'à rediriger, ici vers ${shown}.`,
      en: `${cut(from, 150)} exists only to redirect, here to ${shown}.`,
    });
  if (kind === "own_domain")
    return pass({
      fr: `${asked}, un nom attribué par l'hébergeur, redirige vers ${shown}.`,
      en: `${asked}, a name assigned by the hosting provider, redirects to ${shown}.`,
    });
  if (kind === "same_name")
    return pass({
      fr: `${asked} redirige vers ${shown}, le même nom avec une autre extension.`,
      en: `${asked} redirects to ${shown}, the same name under another top-level domain.`,
    });
  const end = cut(to, 150);
  const fix = {
    fr: `Si ${end} est le bon domaine du site, vérifiez plutôt https://${end}/. Sinon, retirez cette redirection et cherchez qui l'a mise en place.`,
    en: `If ${end} is the site's correct domain, check https://${end}/ instead. Otherwise, remove this redirect and find out who set it up.`,
  };
  return isPermanent ? partial("moved", found, fix) : fail(found, fix);
}

export const redirectDomain: Rule = {
  id: "redir.domain",
  title: { fr: "Domaine de la page", en: "Domain of the page" },
  measures: {
    fr: "Les redirections restent dans le domaine demandé. Sont admis les raccourcisseurs d'URL connus, le même nom avec une autre extension, et un nom d'hôte fourni par l'hébergeur, s'il redirige vers le domaine du site. Une redirection permanente (301, 308) vers un autre domaine rapporte la moitié des points.",
    en: "The redirects stay within the requested domain. Known URL shorteners, the same name under another top-level domain, and a host name assigned by a hosting provider, if it redirects to the site's own domain, are accepted. A permanent redirect (301, 308) to another domain earns half the points.",
  },
  why: {
    fr: "La page évaluée n'est pas celle du domaine demandé : celui-ci a pu changer de mains, expirer ou être détourné.",
    en: "The assessed page is not that of the requested domain. That domain may have changed hands, expired or been hijacked.",
  },
  fix: {
    fr: "Vérifiez plutôt l'URL finale, ou retirez la redirection vers l'autre domaine.",
    en: "Check the final URL instead, or remove the redirect to the other domain.",
  },
  standard: {
    name: "Public Suffix List",
    url: "https://publicsuffix.org/",
  },
  capReason: {
    fr: "La page appartient à un autre domaine que celui demandé.",
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
        en: `${move.from} is an IP address and belongs to no domain.`,
      });
    return judgeMove(move);
  },
};
