import { describeMoment } from "../../shared/report/times.ts";
import type { Language } from "../../shared/language.ts";
import { PALETTE, REPORT_STYLE } from "../../shared/report/style.ts";
import { createHash } from "node:crypto";
import { renderToString } from "preact-render-to-string";
import { type Checked, urlOf } from "../check/results.ts";
import { describeVerdict, labelText, say, WORDS } from "../../shared/report/words.ts";

import { toneOf } from "../../shared/report/drawings.tsx";
import { Page } from "./html-page.tsx";
import type { About } from "./report.ts";

const STYLE = `${PALETTE}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 54rem; padding: 2.5rem 1.25rem 4rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1, h2 { line-height: 1.25; }
h1 { margin: 0; font-size: 1.35rem; }
h2 { margin: 2.5rem 0 .75rem; font-size: 1.2rem; }
p { margin: .35rem 0; }
a { color: var(--link); text-underline-offset: .15em; }
code { font: .9em ui-monospace, monospace; }
.error::first-letter { text-transform: uppercase; }
.page + .page, .contents + .page { margin-top: 3rem; padding-top: 2.5rem; border-top: 1px solid var(--line); }
.gate { padding: 0; list-style: none; }
.gate li { padding-inline-start: 1.6rem; text-indent: -1.6rem; }
.mark { display: inline-block; width: 1.6rem; text-indent: 0; font-weight: 700; }
footer { margin-top: 3rem; color: var(--soft); font-size: .85rem; }
@media print {
  @page { margin: 15mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .page + .page, .contents + .page { break-before: page; border: 0; margin: 0; padding: 0; }
}
${REPORT_STYLE}`;

const STYLE_HASH = createHash("sha256").update(STYLE).digest("base64");

/** The page may not load, run or send anything: it is this one file with its style. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

interface DocumentProps {
  checked: readonly Checked[];
  about: About;
}

interface RowProps {
  checked: Checked;
  index: number;
  language: Language;
}

function ContentsRow({ checked, index, language }: RowProps) {
  const check = "check" in checked ? checked.check : undefined;
  return (
    <tr>
      <th scope="row">
        <a href={`#page-${index + 1}`}>{urlOf(checked)}</a>
      </th>
      <td class={check ? toneOf(check.verdict) : "bad"}>
        {check ? describeVerdict(check.verdict, language) : say(WORDS.notChecked, language)}
      </td>
      <td class="number">{check?.score}</td>
    </tr>
  );
}

function Contents({ checked, about: { language } }: DocumentProps) {
  const count = checked.length;
  if (count < 2) return null;
  return (
    <section class="contents">
      <h1>
        {say(
          { fr: `Ship Scores de ${count} pages`, en: `Ship Scores of ${count} pages` },
          language,
        )}
      </h1>
      <table>
        <thead>
          <tr>
            <th scope="col">{say(WORDS.page, language)}</th>
            <th scope="col">{say(WORDS.verdict, language)}</th>
            <th scope="col" class="number">
              {say(WORDS.score, language)}
            </th>
          </tr>
        </thead>
        <tbody>
          {checked.map((each, index) => (
            <ContentsRow checked={each} index={index} language={language} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function titleOf(checked: readonly Checked[], language: Language): string {
  const [only] = checked;
  if (only === undefined || checked.length > 1) return "Ship Scores";
  const score =
    "check" in only ? `Ship Score ${only.check.score}` : say(WORDS.notChecked, language);
  return labelText(score, urlOf(only), language);
}

function Document({ checked, about }: DocumentProps) {
  return (
    <html lang={about.language}>
      <head>
        <meta charSet="utf-8" />
        <meta http-equiv="Content-Security-Policy" content={POLICY} />
        <meta name="referrer" content="no-referrer" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{titleOf(checked, about.language)}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>
          <Contents checked={checked} about={about} />
          {checked.map((each, index) => (
            <Page checked={each} index={index} about={about} />
          ))}
        </main>
        <footer>
          shipscore {about.version}, {describeMoment(about.now, { language: about.language })}
        </footer>
      </body>
    </html>
  );
}

/** Preact escapes all texts. */
export function formatHtmlReport(checked: readonly Checked[], about: About): string {
  return `<!doctype html>\n${renderToString(<Document checked={checked} about={about} />)}\n`;
}
