import { createHash } from "node:crypto";
import { PALETTE, REPORT_STYLE } from "../../../shared/report/style.ts";

/** The style of every page: light, dark, narrow and on paper. */
export const STYLE = `${PALETTE}
:root { --edge: #76818f; --accent: #0b57c2; --on-accent: #fff; }
@media screen and (prefers-color-scheme: dark) { :root { --edge: #748296; --accent: #8ab8ff; --on-accent: #0d131a; } }
*, ::before, ::after { box-sizing: border-box; }
html { scroll-padding-top: 1rem; text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
body { display: flex; flex-direction: column; min-height: 100vh; margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; overflow-wrap: anywhere; }
main, .bar-top { width: 100%; max-width: 50rem; margin: 0 auto; padding-inline: 1.25rem; }
.bar-end { width: calc(100% - 2.5rem); max-width: 47.5rem; margin: 0 auto; }
main { flex: 1; padding-block: 1.5rem 3.5rem; }
.bar-top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .25rem 1.5rem; padding-block: 1rem; }
.bar-top nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; }
.bar-top nav { margin-inline-start: auto; }
.bar-top nav a { padding-block: .35rem; color: var(--soft); text-decoration: none; }
.bar-top :hover, .bar-end :hover { text-decoration: underline; }
.bar-top nav a[aria-current] { color: var(--ink); font-weight: 600; }
.bar-top form, .bar-end form { margin: 0; }
.bar-end { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding-block: 1.25rem 2rem; border-top: 1px solid var(--line); font-size: .9rem; }
.bar-end a { padding-block: .3rem; color: var(--soft); text-decoration: none; }
.bar-top .plain, .bar-end .plain { text-decoration: none; }
.brand { display: inline-flex; align-items: center; gap: .55rem; padding-block: .35rem; color: inherit; font-weight: 650; font-size: 1.1rem; letter-spacing: -.01em; text-decoration: none; }
a.brand:hover { text-decoration: underline; text-decoration-thickness: .1em; }
.brand svg { width: 1.5rem; height: 1.5rem; color: var(--accent); }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; letter-spacing: -.01em; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.6rem, 1.3rem + 1.6vw, 2.2rem); }
h2 { margin: 2.75rem 0 .75rem; font-size: 1.25rem; }
h3 { margin: 0; font-size: 1.05rem; }
section > h3 { margin-top: 1.75rem; }
p, li, dd { text-wrap: pretty; }
p { margin: .6rem 0; }
.lead { max-width: 38rem; font-size: 1.1rem; }
a { color: var(--link); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: .2rem; }
code { font: .92em ui-monospace, monospace; }
pre { margin: .6rem 0; padding: .8rem 1rem; border-radius: .5rem; background: var(--wash); white-space: pre-wrap; }
.rule { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .6rem; }
.rule:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
dl { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: .35rem 1rem; margin: .75rem 0 0; }
form { margin: 1rem 0; }
label { display: block; margin-bottom: .35rem; font-weight: 600; }
input:not([type="hidden"], [type="checkbox"]), textarea, select { width: 100%; min-width: 0; min-height: 2.9rem; padding: .5rem .8rem; border: 1px solid var(--edge); border-radius: .5rem; background: var(--paper); color: inherit; font: inherit; }
fieldset { padding: 0; border: 0; }
legend { padding: 0; margin-bottom: .35rem; font-weight: 600; }
fieldset label { font-weight: 400; }
input[type="checkbox"] { width: 1.2rem; height: 1.2rem; margin: .2rem .4rem .2rem 0; vertical-align: middle; accent-color: var(--link); }
textarea { resize: vertical; }
:is(input, textarea, select)[aria-invalid] { border: 2px solid var(--bad); }
input[readonly] { background: var(--wash); font: .9rem ui-monospace, monospace; }
button, .button { min-height: 2.9rem; padding: .5rem 1.35rem; border: 1px solid transparent; border-radius: .5rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.12); }
form[aria-busy] button { opacity: .6; cursor: progress; }
button.plain { min-height: 0; padding: .35rem 0; border: 0; background: none; color: var(--soft); font-weight: 400; text-decoration: underline; text-underline-offset: .15em; }
button.danger { background: var(--bad); color: var(--paper); }
button.second, .button.second { border-color: var(--edge); background: none; color: var(--ink); font-weight: 500; }
button.second:hover, .button.second:hover { background: var(--wash); filter: none; }
button.second.danger { color: var(--bad); }
td button { white-space: nowrap; }
td button:not(.plain) { min-height: 2rem; padding: .15rem .75rem; font-size: .92rem; }
td form { display: inline-block; margin: .1rem .4rem .1rem 0; }
.field { max-width: 34rem; margin: 1rem 0; }
#scan .field { max-width: none; }
.row { display: flex; gap: .6rem; }
.row input { flex: 1; }
.row button { flex: none; }
.hint { margin: .4rem 0 0; color: var(--soft); font-size: .92rem; }
.problem { margin: 0 0 .5rem; color: var(--bad); font-weight: 600; }
.problem p { margin: .3rem 0; }
.problem ul { margin: .2rem 0; padding-inline-start: 1.25rem; font-weight: 400; }
.notice { margin: 1.25rem 0; padding: .8rem 1.1rem; border-inline-start: .3rem solid var(--edge); border-radius: .2rem; background: var(--wash); }
.notice.warn { border-color: var(--warn); color: inherit; } .notice.bad { border-color: var(--bad); color: inherit; }
.notice > :first-child { margin-top: 0; } .notice > :last-child { margin-bottom: 0; }
.notice.good { border-color: var(--good); color: inherit; }
.empty { margin: 1.5rem 0; padding: 1.1rem 1.25rem; border: 1px dashed var(--edge); border-radius: .6rem; }
.empty > :first-child { margin-top: 0; } .empty > :last-child { margin-bottom: 0; }
.meter { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; }
.meter span { font-weight: 600; font-variant-numeric: tabular-nums; }
progress { flex: 1 1 12rem; height: .6rem; border: 0; border-radius: .3rem; background: var(--line); appearance: none; overflow: hidden; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
.pager { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 1.25rem 0; }
.pager a { padding-block: .25rem; }
.things th[scope="row"] { font-weight: 600; }
.things td, .things th { padding-block: .6rem; }
.things .person { display: inline-block; min-width: 13rem; }
.things .target { display: block; min-width: min(13rem, 20vw); }
.things thead th { padding-block: .3rem; }
:is(.things :is(td, th), dd, main li, .lead) > a { display: inline-block; min-height: 1.5rem; line-height: 1.5rem; }
.things th > a { display: block; width: fit-content; min-width: min(14rem, 20vw); }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem; margin: 1.5rem 0; }
.actions form { margin: 0; }
.looks { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: .1rem 1.5rem; margin: .5rem 0; padding: 0; list-style: none; }
.looks a { display: inline-block; padding-block: .25rem; }
.progress { display: flex; gap: .75rem; align-items: center; margin: 1.5rem 0; font-size: 1.1rem; font-weight: 600; }
.progress::before { content: ""; flex: none; width: 1.4rem; height: 1.4rem; border: .22rem solid var(--line); border-top-color: var(--accent); border-radius: 50%; }
.address { font-size: 1.35rem; }
.address, .head h1 { display: -webkit-box; overflow: hidden; -webkit-box-orient: vertical; -webkit-line-clamp: 5; text-wrap: wrap; }
.figures td:last-child, .figures thead th:last-child { padding-inline-end: 0; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.figures th[scope="row"] { font-weight: 400; }
.button { display: inline-block; text-decoration: none; }
.state { font-weight: 600; white-space: nowrap; }
.things td, .things th { overflow-wrap: anywhere; }
.things :is(thead th, .number, .state) { overflow-wrap: normal; }
.things time { white-space: nowrap; }
.things .number:not(:last-child) { padding-inline: .4rem 1.25rem; }
.things th .soft { font-size: .92rem; font-weight: 400; }
.chart { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); gap: .4rem .7rem; margin: 1.25rem 0; }
.chart figcaption { grid-column: 1 / -1; font-weight: 600; }
.chart svg { width: 100%; height: 8rem; overflow: visible; }
.scale { display: flex; flex-direction: column; justify-content: space-between; align-items: end; font-variant-numeric: tabular-nums; line-height: 0; }
.ends span { white-space: nowrap; }
.ends { grid-column: 2; display: flex; justify-content: space-between; gap: 1rem; }
.scale, .ends, .key { color: var(--soft); font-size: .85rem; }
.days th { font-weight: 400; } .days :is(td, thead th:not(:first-child)) { text-align: end; font-variant-numeric: tabular-nums; }
summary { padding-block: .25rem; cursor: pointer; }
.key { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.key svg { width: 1rem; height: 1rem; vertical-align: -.15em; }
.spark { display: block; width: 5rem; height: 1.25rem; margin: .3rem 0 .2rem auto; overflow: visible; }
:is(.chart, .key, .spark) path { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
:is(.chart, .key, .spark) .dots { stroke-width: 7; stroke-linecap: round; }
.spark .dots { stroke-width: 5; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
:is(.chart, .key) .ticks { stroke: var(--soft); }
:is(.chart, .key) .spans { fill: var(--bad); stroke: none; }
${REPORT_STYLE}
@media (prefers-reduced-motion: no-preference) {
  .progress::before { animation: turn 1.2s linear infinite; }
  @keyframes turn { to { rotate: 1turn; } }
}
@media (max-width: 34rem) {
  .bar-top nav:not(:last-child) { order: 1; gap: .25rem .8rem; width: 100%; margin: 0; font-size: .95rem; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: .5rem; }
  .row { flex-direction: column; }
  .things, .things tbody { display: block; }
  .things thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .things tbody tr { display: block; padding-block: .6rem; border-bottom: 1px solid var(--line); }
  .things tbody th, .things tbody td { display: block; padding: .1rem 0; border: 0; overflow-wrap: anywhere; }
  .things .number, .things .number:not(:last-child) { padding-inline: 0; text-align: start; }
  .spark { display: inline-block; margin: 0 0 0 .75rem; vertical-align: middle; }
  .things td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
}
@media print {
  @page { margin: 15mm; }
  body { display: block; min-height: 0; font-size: 10pt; }
  main, .bar-top, .bar-end { width: 100%; max-width: none; padding-inline: 0; }
  form, .actions, .pager, .no-print, .bar-top nav { display: none; }
  .address, .head h1 { display: block; overflow: visible; }
  a { color: inherit; }
}
`;

const sourceOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const STYLE_SOURCE = sourceOf(STYLE);

interface Needs {
  /** The page's one script, if it has one; it may ask this server. */
  script?: string | undefined;
  /** True for a page with a form, which sends to this server alone. */
  hasForm?: boolean;
}

/** The content security policy of a page: its own style and script, this server's images, nothing else. */
export function policyOf({ script, hasForm = false }: Needs = {}): string {
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    ...(script === undefined ? [] : [`script-src ${sourceOf(script)}`, "connect-src 'self'"]),
    "img-src 'self'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
    "frame-ancestors 'none'",
  ].join("; ");
}
