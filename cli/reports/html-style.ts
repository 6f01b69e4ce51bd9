import { PALETTE, REPORT_STYLE } from "../../shared/report/style.ts";

export const STYLE = `${PALETTE}
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
