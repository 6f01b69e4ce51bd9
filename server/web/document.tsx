import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Language } from "../language.ts";

const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5a6675; --line: #d9dfe7; --paper: #fff; --wash: #f4f6f9; --link: #0b57c2; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ecf1; --soft: #a3afbd; --line: #333d4a; --paper: #12171e; --wash: #1a212b; --link: #8ab8ff; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 46rem; padding: 2.5rem 1.25rem 5rem; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3rem 0 1rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); font-size: 1.35rem; }
h3 { margin: 0; font-size: 1.08rem; }
a { color: var(--link); text-underline-offset: .15em; }
code { font: .92em ui-monospace, monospace; overflow-wrap: anywhere; }
article { margin: 1rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: .6rem; }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
dl { margin: .75rem 0 0; display: grid; grid-template-columns: 9rem 1fr; gap: .35rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); text-align: start; }
td:last-child, th:last-child { text-align: end; font-variant-numeric: tabular-nums; }
pre { padding: .8rem 1rem; border-radius: .5rem; background: var(--wash); white-space: pre-wrap; }
.soft { color: var(--soft); }
@media (max-width: 34rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
`;

interface DocumentProps {
  language: Language;
  title: string;
  children: ComponentChildren;
}

function Document({ language, title, children }: DocumentProps) {
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

/** A complete HTML document: no script, one style sheet, nothing loaded from elsewhere. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>${renderToString(<Document {...props} />)}`;
}
