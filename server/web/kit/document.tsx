import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Text } from "../../../shared/language.ts";
import { renderContent } from "./problems.tsx";
import {
  T,
  pageReaderOf,
  ReaderContext,
  useReader,
  type Person,
  type Reader,
  type Wording,
} from "./reader.tsx";
import { STYLE } from "./style.ts";

export interface Site {
  /** Undefined if unknown. Link previews need absolute URLs. */
  readonly origin?: string | undefined;
}

export interface DocumentProps extends Reader {
  title: Wording;
  /** For search engines and link previews. Undefined for an error. */
  description?: Wording;
  site?: Site;
  children: ComponentChildren;
  isIndexed?: boolean;
  /** A browser without script loads it every few seconds. */
  refresh?: string | undefined;
  script?: string | undefined;
  isWide?: boolean;
  hasSignIn?: boolean;
  /** False where switching the language would lose input. */
  hasLanguages?: boolean;
}

const NAME = "shipscore";
const REFRESH_SECONDS = 3;

const LINKS: readonly (Text & { href: string })[] = [
  { href: "/docs/rules", fr: "Les règles du Ship Score", en: "The rules of the Ship Score" },
  {
    href: "/about/checks",
    fr: "Requêtes envoyées par une vérification",
    en: "Requests sent by a check",
  },
  { href: "/docs/ci", fr: "Intégration continue", en: "CI" },
  { href: "/docs/alerts", fr: "Alertes", en: "Alerts" },
  { href: "/docs/mcp", fr: "Assistants (MCP)", en: "Assistants (MCP)" },
];

function Mark() {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="3.5"
      aria-hidden="true"
    >
      <circle cx="12" cy="12" r="9" opacity=".3" />
      <path d="M12 3a9 9 0 1 1-8.56 6.22" stroke-linecap="round" />
    </svg>
  );
}

const SECTIONS: readonly (Text & { href: string })[] = [
  { href: "/projects", fr: "Projets", en: "Projects" },
  { href: "/incidents", fr: "Incidents", en: "Incidents" },
  { href: "/checks", fr: "Vérifications", en: "Checks" },
  { href: "/settings/api", fr: "API", en: "API" },
  { href: "/settings/account", fr: "Compte", en: "Account" },
];

const SIGN_IN: Text = { fr: "Se connecter", en: "Sign in" };
const SIGN_OUT: Text = { fr: "Se déconnecter", en: "Sign out" };
const SECTIONS_LABEL: Text = { fr: "Sections", en: "Sections" };
const SKIP: Text = { fr: "Aller au contenu", en: "Skip to content" };
const SWITCH = {
  fr: { to: "en", label: "English" },
  en: { to: "fr", label: "Français" },
} as const;

const MOST_SHOWN = 99;

function OpenCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <>
      {" "}
      <span class="count">{count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}</span>
    </>
  );
}

function Sections() {
  const { person, path: own = "", say } = useReader();
  // A deployment belongs to its project's section.
  const path = own.replace(/^\/deployments\//, "/projects/");
  return (
    <nav aria-label={say(SECTIONS_LABEL)}>
      {SECTIONS.map((section) => (
        <a
          key={section.href}
          href={section.href}
          aria-current={path.startsWith(section.href) ? "page" : undefined}
        >
          <T text={section} />
          {section.href === "/incidents" && <OpenCount count={person?.openIncidents ?? 0} />}
        </a>
      ))}
    </nav>
  );
}

function Header({ hasSignIn }: { hasSignIn: boolean }) {
  const { person } = useReader();
  return (
    <header class={person ? "bar-top wide" : "bar-top"}>
      <a class="brand" href={person ? "/projects" : "/"}>
        <Mark />
        {NAME}
      </a>
      {person && (
        <>
          <Sections />
          <form method="post" action="/sign-out">
            <button type="submit" class="plain" title={person.email}>
              <T text={SIGN_OUT} />
            </button>
          </form>
        </>
      )}
      {!person && hasSignIn && (
        <nav>
          <a href="/projects">
            <T text={SIGN_IN} />
          </a>
        </nav>
      )}
    </header>
  );
}

function LanguageSwitch() {
  const { person, path, language } = useReader();
  const { to, label } = SWITCH[language];
  return (
    <form method="post" action={person === undefined ? "/visitor/language" : "/language"}>
      {path !== undefined && <input type="hidden" name="next" value={path} />}
      <button type="submit" class="plain" name="language" value={to} lang={to}>
        {label}
      </button>
    </form>
  );
}

function Footer({ hasLanguages }: { hasLanguages: boolean }) {
  return (
    <footer class={useReader().person === undefined ? "bar-end" : "bar-end wide"}>
      {LINKS.map((link) => (
        <a key={link.href} href={link.href}>
          <T text={link} />
        </a>
      ))}
      {hasLanguages && <LanguageSwitch />}
    </footer>
  );
}

function Preview({
  title,
  description,
  site,
}: Record<"title" | "description", string> & { site: Site }) {
  return (
    <>
      <meta name="description" content={description} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      {site.origin !== undefined && (
        <meta property="og:image" content={`${site.origin}/card.png`} />
      )}
    </>
  );
}

interface WholeProps extends Omit<DocumentProps, "children" | keyof Reader> {
  /** In the page's language. After a refusal it begins with "Error:". */
  pageTitle: string;
  content: string;
}

function Document(props: WholeProps) {
  const { pageTitle: title, description, site = {}, content, refresh, script } = props;
  const { isWide, hasSignIn = true, hasLanguages = true } = props;
  const { language, say } = useReader();
  return (
    <html lang={language}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – ${NAME}`}</title>
        {props.isIndexed === false && <meta name="robots" content="noindex" />}
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" type="image/svg+xml" href="/favicon.svg" />
        {description !== undefined && (
          <Preview title={title} description={say(description)} site={site} />
        )}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={`${REFRESH_SECONDS}; url=${refresh}`} />
          </noscript>
        )}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <a class="skip" href="#main">
          <T text={SKIP} />
        </a>
        <Header hasSignIn={hasSignIn} />
        <main
          id="main"
          tabIndex={-1}
          class={isWide ? "wide" : undefined}
          dangerouslySetInnerHTML={{ __html: content }}
        />
        <Footer hasLanguages={hasLanguages} />
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

export const renderPart = (reader: Reader, children: ComponentChildren): string =>
  renderToString(
    <ReaderContext.Provider value={pageReaderOf(reader)}>{children}</ReaderContext.Provider>,
  );

/** Replaces a visitor's header and footer with those of a signed-in user. */
export function personalize(person: Person, document: string, visitor: Reader): string {
  const reader = { ...visitor, person };
  return document
    .replace(renderPart(visitor, <Header hasSignIn />), () =>
      renderPart(reader, <Header hasSignIn />),
    )
    .replace(renderPart(visitor, <Footer hasLanguages />), () =>
      renderPart(reader, <Footer hasLanguages />),
    );
}

export function renderDocument({ children, ...props }: DocumentProps): string {
  const reader = pageReaderOf(props);
  const { html, title } = renderContent(children, reader.say(props.title), reader);
  return `<!doctype html>${renderPart(reader, <Document {...props} pageTitle={title} content={html} />)}`;
}
