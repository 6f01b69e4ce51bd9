import type { Evidence } from "../evidence/evidence.ts";
import { GiveUpCode } from "../evidence/failure.ts";
import { type Judgement, unknown } from "./rule.ts";

const REASONS = {
  hung: {
    fr: "La vérification de cette page a été arrêtée : son analyse ne se terminait pas.",
    en: "The check of this page was stopped: its analysis did not come to an end.",
  },
  crashed: {
    fr: "La vérification de cette page a été arrêtée : le programme qui l'analysait s'est arrêté sur une erreur.",
    en: "The check of this page was stopped: the program that was analysing it crashed.",
  },
  failed: {
    fr: "La vérification a échoué sur cette page, par une erreur du vérificateur.",
    en: "The check failed on this page, through an error of the checker's own.",
  },
};

const FIX = {
  fr: "Transmettez l'identifiant de cette vérification à l'exploitant du serveur : rien ne dit que la page soit en cause.",
  en: "Give the id of this check to whoever operates the server: nothing says that the page is at fault.",
};

/** The judgement of a page whose visit was given up; undefined for any other. */
export function judgeGivenUp({ page }: Evidence): Judgement | undefined {
  if (page.failure?.phase !== "check") return undefined;
  return unknown(REASONS[GiveUpCode.catch("failed").parse(page.failure.code)], FIX);
}
