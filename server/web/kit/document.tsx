import type { ComponentChildren } from "preact";
import { renderToString } from "preact-render-to-string";
import { say } from "../../../shared/report/words.ts";
import type { Language, Text } from "../../base/language.ts";
import { renderContent } from "./problems.tsx";
import { STYLE } from "./style.ts";

/** What a page says of the server that it is on. */
export interface Site {
  /** Its origin, if known: a preview of a shared link needs whole addresses. */
  readonly origin?: string | undefined;
}

/** The person who is signed in, as the frame of their pages shows them. */
export interface Person {
  readonly email: string;
  /** In all projects that they see. */
  readonly openIncidents: number;
  /** The path of the page, with its query: where the switch of the language leads back to. None for an error. */
  readonly path?: string | undefined;
}

export interface DocumentProps {
  language: Language;
  title: string;
  /** One or two sentences for search engines and for previews of a shared link; none for an error. */
  description?: string;
  site?: Site;
  children: ComponentChildren;
  isIndexed?: boolean;
  /** The address that a browser without script opens every few seconds. */
  refresh?: string | undefined;
  script?: string | undefined;
  person?: Person | undefined;
  /** The link to the application, where it is not known who reads the page: `sign-in` by default. */
  entry?: keyof typeof ENTRIES | undefined;
}

const NAME = "shipscore";
const REFRESH_SECONDS = 3;

const LINKS: readonly (Text & { href: string })[] = [
  { href: "/docs/rules", fr: "Les règles du Ship Score", en: "The rules of the Ship Score" },
  { href: "/about/checks", fr: "Ce que demande une vérification", en: "What a check asks for" },
];

/** The mark of the product: a ring, four fifths full. */
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

/** Both lead to the same page: whoever is not signed in is asked to sign in first. */
const ENTRIES = {
  "sign-in": { fr: "Se connecter", en: "Sign in" },
  projects: { fr: "Projets", en: "Projects" },
  none: undefined,
};
const SIGN_OUT: Text = { fr: "Se déconnecter", en: "Sign out" };
const SECTIONS_LABEL: Text = { fr: "Sections", en: "Sections" };
const SWITCH = {
  fr: { to: "en", label: "English" },
  en: { to: "fr", label: "Français" },
} as const;

interface FrameProps {
  person: Person;
  language: Language;
}

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

function Sections({ person, language }: FrameProps) {
  const [own = ""] = (person.path ?? "").split("?", 1);
  // A deployment stands below its project.
  const path = own.replace(/^\/deployments\//, "/projects/");
  return (
    <nav aria-label={say(SECTIONS_LABEL, language)}>
      {SECTIONS.map((section) => (
        <a
          key={section.href}
          href={section.href}
          aria-current={path.startsWith(section.href) ? "page" : undefined}
        >
          {say(section, language)}
          {section.href === "/incidents" && <OpenCount count={person.openIncidents} />}
        </a>
      ))}
    </nav>
  );
}

function SignOut({ person, language }: FrameProps) {
  return (
    <form method="post" action="/sign-out">
      <button type="submit" class="plain" title={person.email}>
        {say(SIGN_OUT, language)}
      </button>
    </form>
  );
}

type HeaderProps = Pick<DocumentProps, "person" | "language" | "entry">;

function Header({ person, language, entry = "sign-in" }: HeaderProps) {
  const link = ENTRIES[entry];
  return (
    <header class="bar-top">
      <a class="brand" href="/">
        <Mark />
        {NAME}
      </a>
      {person !== undefined && <Sections person={person} language={language} />}
      {person !== undefined && <SignOut person={person} language={language} />}
      {person === undefined && link !== undefined && (
        <nav>
          <a href="/projects">{say(link, language)}</a>
        </nav>
      )}
    </header>
  );
}

/** Keeps the other language in the account. */
function LanguageSwitch({ person, language }: FrameProps) {
  const { to, label } = SWITCH[language];
  return (
    <form method="post" action="/language">
      {person.path !== undefined && <input type="hidden" name="next" value={person.path} />}
      <button type="submit" class="plain" name="language" value={to} lang={to}>
        {label}
      </button>
    </form>
  );
}

type PreviewProps = Pick<DocumentProps, "title"> & { site: Site } & { description: string };

/** What search engines, and those who are sent a link, see of the page. */
function Preview({ title, description, site }: PreviewProps) {
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

function Document(props: Omit<DocumentProps, "children"> & { content: string }) {
  const { language, title, description, site = {}, content, refresh, script } = props;
  const { person, entry } = props;
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
          <Preview title={title} description={description} site={site} />
        )}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={`${REFRESH_SECONDS}; url=${refresh}`} />
          </noscript>
        )}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <Header person={person} language={language} entry={entry} />
        <main dangerouslySetInnerHTML={{ __html: content }} />
        <footer class="bar-end">
          {LINKS.map((link) => (
            <a key={link.href} href={link.href}>
              {say(link, language)}
            </a>
          ))}
          {person !== undefined && <LanguageSwitch person={person} language={language} />}
        </footer>
        {script !== undefined && <script dangerouslySetInnerHTML={{ __html: script }} />}
      </body>
    </html>
  );
}

/** A complete HTML document: its style, at most one script, and this server's images. */
export function renderDocument({ children, ...props }: DocumentProps): string {
  const { html, title } = renderContent(children, props.title, props.language);
  return `<!doctype html>${renderToString(<Document {...props} title={title} content={html} />)}`;
}
