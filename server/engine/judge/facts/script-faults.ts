import type { Evidence } from "../../evidence/evidence.ts";
import { describeReferences } from "./references.ts";
import { type Fix, followFix, type Judgement, partial, sameText } from "../rule.ts";

const FIX = {
  fr: "Corrigez la syntaxe de ce script : le navigateur n'en exécute rien. Souvent, un guillemet n'est pas fermé, ou le modèle y a laissé du texte ou du HTML.",
  en: "Correct the syntax of this script: browsers run nothing of it. Often, a quote is not closed, or the template left text or HTML in it.",
};

/** Adds the inline scripts with syntax errors to what was found about the files. */
export function addScriptFaults(files: Judgement, { page }: Evidence, fileFix: Fix): Judgement {
  const faults = page.body?.html?.scriptFaults ?? [];
  if (faults.length === 0 || files.status === "fail") return files;
  const found = describeReferences(
    faults.map(({ error, line }) => ({ url: sameText(error), tag: "script", line })),
    { fr: "Erreurs de syntaxe", en: "Syntax errors" },
  );
  const all = { fr: `${files.found.fr} ${found.fr}`, en: `${files.found.en} ${found.en}` };
  // Files that may only cost as much as these scripts do not decide.
  if (files.status === "unknown" && files.grade === "icons") return partial("syntax", all, FIX);
  if (files.status === "unknown") return { ...files, found: all };
  if (files.status !== "partial") return partial("syntax", found, FIX);
  return { ...files, found: all, fix: followFix(files.fix ?? fileFix, FIX) };
}
