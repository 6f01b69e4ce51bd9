export const PALETTE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #566272; --line: #d9dfe7; --paper: #fff; --wash: #f4f6f9; --link: #0b57c2; --good: #12783d; --warn: #8a5a00; --bad: #b3261e; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --soft: #a3afbd; --line: #333d4a; --paper: #12171e; --wash: #1a212b; --link: #8ab8ff; --good: #5ad08a; --warn: #f0b44c; --bad: #ff8a80; } }
`;

/** Uses the custom properties of `PALETTE`. */
export const REPORT_STYLE = `
.good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); }
.soft { color: var(--soft); }
.url { overflow-wrap: normal; } .url span { overflow-wrap: anywhere; }
.head { display: flex; gap: 1.75rem; align-items: center; }
.head svg { flex: none; width: 8.5rem; height: 8.5rem; }
.head circle { fill: none; stroke: var(--line); stroke-width: 9; }
.head .arc { stroke: currentColor; stroke-linecap: round; }
.head text { fill: var(--ink); font: 700 34px system-ui, sans-serif; text-anchor: middle; }
.head .of { fill: var(--soft); font-size: 12px; font-weight: 400; }
.head h1 { font-size: 1.35rem; }
.head p { margin: .35rem 0; }
.head .verdict, .verdict { font-size: 1.35rem; font-weight: 700; margin: .1rem 0 .3rem; }
.caps { margin: 1.5rem 0 0; padding: .8rem 1.1rem; border-inline-start: .3rem solid var(--bad); background: var(--wash); list-style: none; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); text-align: start; vertical-align: baseline; font-weight: 400; }
td, thead th { overflow-wrap: normal; }
tbody th { overflow-wrap: break-word; }
thead th { color: var(--soft); font-size: .85rem; }
.word { white-space: nowrap; }
.number { padding-inline-end: 0; text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums; }
.categories th, .categories td { vertical-align: middle; }
.bar { width: 45%; }
.bar svg { display: block; width: 100%; height: .6rem; border-radius: .3rem; }
.bar rect { fill: var(--line); }
.bar .full { fill: currentColor; }
.costs { margin: 0; padding: 0; list-style: none; }
.costs li { display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); padding: 1rem 0; border-bottom: 1px solid var(--line); break-inside: avoid; }
.costs h3 { margin: 0; font-size: 1rem; }
.costs p { margin: .35rem 0; }
.costs .points { font-weight: 700; font-size: 1.1rem; font-variant-numeric: tabular-nums; }
.costs dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem .75rem; margin: .4rem 0 .2rem; }
.costs li:target, tr:target { background: var(--wash); }
.minor li { padding: .7rem 0; font-size: .92rem; } .minor .points { font-size: 1rem; }
.gain { font-size: 1.1rem; font-weight: 600; }
details { margin-top: 2rem; }
summary h2 { display: inline; }
.seen pre, .fix-line { margin: .4rem 0; padding: .5rem .8rem; border-radius: .3rem; background: var(--wash); white-space: pre-wrap; overflow-wrap: anywhere; }
.paste { display: flex; gap: .5rem; align-items: start; margin: .4rem 0; }
.paste .fix-line { flex: 1; margin: 0; }
.paste button { flex: none; min-height: 1.75rem; padding: 0 .7rem; font-size: .85rem; }
.fix-line code { font: .92em ui-monospace, monospace; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
@media (max-width: 34rem) {
  .head { flex-direction: column; align-items: flex-start; gap: 1rem; }
  .costs li, .costs dl { grid-template-columns: minmax(0, 1fr); }
  .costs dl { gap: 0; }
  .costs dd + dt { margin-top: .4rem; }
  table { font-size: .92rem; }
  th, td { padding-inline-end: .4rem; }
  .bar { width: 20%; }
  .number { white-space: normal; }
}
@media print {
  h2 { break-after: avoid; }
  tr { break-inside: avoid; }
  .caps, svg { print-color-adjust: exact; }
  details::details-content { display: block; content-visibility: visible; }
}
`;
