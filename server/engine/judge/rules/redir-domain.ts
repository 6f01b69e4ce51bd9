import { findMove, type Move } from "../facts/domains.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  pass,
  text,
  unknown,
} from "../rule.ts";

function judgeMove({ from, to, domains, kind }: Move): Judgement {
  const [asked, shown] = [cut(domains[0], 150), cut(domains[1], 150)];
  if (kind === "none" || kind === "same")
    return pass(text(`La page est bien sur ${shown}.`, `The page is on ${shown}, as asked.`));
  const seen = text(
    `L'adresse demandée est sur ${asked}, la page lue sur ${shown}.`,
    `The address asked for is on ${asked}, the page that was read on ${shown}.`,
  );
  if (kind === "login") return unknown(seen);
  if (kind === "redirector")
    return pass(
      text(
        `${cut(from, 150)} ne sert qu'à rediriger : il mène ici à ${shown}.`,
        `${cut(from, 150)} exists only to redirect: here it leads to ${shown}.`,
      ),
    );
  if (kind === "country")
    return pass(
      text(
        `${asked} mène à ${shown}, le même nom sous une autre extension.`,
        `${asked} leads to ${shown}, the same name under another ending.`,
      ),
    );
  const end = cut(to, 150);
  return fail(
    seen,
    text(
      `Si ${end} est bien l'adresse du site, vérifiez https://${end}/ ; sinon, retirez cette redirection et cherchez qui l'a mise en place.`,
      `If ${end} is the site's real address, check https://${end}/ instead; if not, remove this redirect and find out who put it there.`,
    ),
  );
}

export const redirectDomain: Rule = {
  id: "redir.domain",
  title: text("Page du domaine demandé", "Page of the domain asked for"),
  measures: text(
    "Les redirections restent dans le domaine demandé ; les réducteurs d'adresses connus et le même nom sous l'extension d'un pays sont admis.",
    "The redirects stay within the domain asked for; known link shorteners and the same name under a country's ending are fine.",
  ),
  matters: text(
    "La page notée n'est pas celle du domaine demandé : il a pu changer de mains, expirer ou être détourné.",
    "The page that was scored is not the domain's own: the domain may have changed hands, expired or been hijacked.",
  ),
  fix: text(
    "Vérifiez l'adresse finale elle-même, ou retirez la redirection vers l'autre domaine.",
    "Check the final address itself, or remove the redirect to the other domain.",
  ),
  standard: {
    name: "Public Suffix List",
    url: "https://publicsuffix.org/",
  },
  capReason: text(
    "La page lue est celle d'un autre domaine que celui demandé.",
    "The page that was read belongs to another domain than the one asked for.",
  ),
  parents: () => ["redir.chain"],
  judge(evidence) {
    const move = findMove(evidence);
    if (!move) return unknown(text("La page n'a pas été lue.", "The page was not read."));
    const isAddress = /^[\d.]+$|^\[/.test(move.from);
    if (isAddress)
      return notApplicable(
        text(
          `${move.from} est une adresse IP, qui n'appartient à aucun domaine.`,
          `${move.from} is an IP address, which belongs to no domain.`,
        ),
      );
    return judgeMove(move);
  },
};
