import { describe, expect, it } from "vitest";
import { STAND_INS, type StandIn } from "../../../server/engine/judge/facts/stand-ins.ts";
import { readBody } from "../../../server/engine/requests/body/body-facts.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { goodEvidence, pageHop } from "./evidence-fixtures.ts";
import { getFinding } from "./finding-of.ts";

const URL_OF_PAGE = "https://www.example.com/page";

interface Circumstances {
  url?: string;
  repeatsPage?: boolean;
}

async function judgePage(
  text: string,
  { url = URL_OF_PAGE, repeatsPage = false }: Circumstances = {},
) {
  const bytes = Buffer.from(text);
  const { body, assets } = await readBody({
    bytes,
    wireBytes: bytes.length,
    encoding: null,
    oddities: [],
    state: "whole",
    contentType: "text/html; charset=utf-8",
    url: new URL(url),
    guard: { classify: () => "public" },
  });
  const evidence = goodEvidence();
  evidence.url = url;
  pageHop(evidence).url = url;
  evidence.page.body = body;
  const answer = { status: 200, headers: [], failure: null, skipped: false, in: null, file: null };
  evidence.assets = assets.map((asset) => ({ ...answer, ...asset, url: asset.url.href }));
  if (repeatsPage) Object.assign(evidence.notFound, { status: 200, repeatsPage });
  return {
    finding: getFinding("reach.page", evidence),
    find: (id: string) => getFinding(id, evidence),
    score: () => scoreEvidence(evidence, "en").score,
  };
}

const page = (title: string, body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><meta name="viewport" content="width=device-width"></head><body>${body}</body></html>`;

const NAV =
  '<header><nav><ul><li><a href="/">Home</a><li><a href="/tea">Tea</a><li><a href="/tins">Tins</a><li><a href="/about">About us</a></ul></nav></header>';
const FOOTER =
  '<footer><h3>Shop</h3><p>Tea Ltd, 12 Leaf Street, Leeds. Company 0123456.</p><a href="/terms">Terms</a></footer>';
const PROSE =
  "<p>A visitor who lands on a dead link wants three things: to know that it is dead, to know that it is not their fault, and to be shown the way to what they were after. Most sites give them none of these.</p>".repeat(
    3,
  );
const shop = (title: string, body: string): string => page(title, NAV + body + FOOTER);

describe("ordinary pages are not stand-ins", () => {
  it.each(
    Object.entries({
      "an article on 404 pages": page(
        "How to write a good 404 page",
        `<h1>How to write a good 404 page</h1>${PROSE}`,
      ),
      "a short one": page(
        "How to write a good 404 page",
        "<h1>How to write a good 404 page</h1><p>Say what happened.</p>",
      ),
      "a reference of the status": page(
        "404 Not Found - HTTP | Docs",
        `<h1>404 Not Found</h1>${PROSE}`,
      ),
      "an entry of a glossary": page(
        "Page not found | Glossary",
        `<h1>Page not found</h1>${PROSE}`,
      ),
      "a collection of 404 pages": page(
        "The 40 best 404 pages",
        "<h1>The 40 best 404 pages</h1><img src=a alt=a>",
      ),
      "a journal by the name of 404": page("404 Media", "<h1>404 Media</h1><p>Journalism."),
      "a number of 404 things": page("404 recipes with tea", "<h1>404 recipes</h1>"),
      "a room 404": page("Hotel: room 404", "<h1>Room 404</h1><p>Two beds."),
      "an article on soft 404s": page(
        "Soft 404 errors explained",
        `<h1>Soft 404 errors</h1>${PROSE}`,
      ),
      "a search without results": shop(
        "Search | Tea",
        "<h1>Search</h1><p>No results for “oolong”.",
      ),
      "an empty basket": shop("Your basket | Tea", "<h1>Your basket</h1><p>It is empty."),
      "lost and found": page(
        "Lost and found",
        "<h1>Lost and found</h1><p>One umbrella was not found.",
      ),
      "houses for sale": page(
        "Houses for sale in Leeds | Acme",
        "<h1>Houses for sale in Leeds</h1>",
      ),
      "a house for sale": page(
        "For sale: a house by the sea",
        "<h1>For sale: a house</h1><p>€240,000",
      ),
      "a boat that is for sale": page("Boats", "<h1>This boat is for sale</h1><p>Call us."),
      "maisons à vendre": page("Maisons à vendre à Lyon", "<h1>Maisons à vendre</h1>"),
      "Häuser zu verkaufen": page("Häuser zu verkaufen", "<h1>Häuser zu verkaufen</h1>"),
      "a broker of domains": page("Domains for sale | Broker", `<h1>Domains for sale</h1>${PROSE}`),
      "an article on parked domains": page(
        "This domain is for sale: who parks, and why",
        `<h1>Parked domains</h1>${PROSE}`,
      ),
      "a product called Coming Soon": shop(
        "Coming Soon – poster by Ann",
        "<h1>Coming Soon</h1><p>40 × 60 cm</p><p>€25.00</p><button>Add to cart</button>",
      ),
      "a cinema's list": shop(
        "Coming soon | Odeon",
        `<h1>Coming soon</h1>${"<h2>A film</h2><img src=f alt=f><p>3 May".repeat(9)}`,
      ),
      "an album called Under Construction": page(
        "Under Construction (album) - Music",
        `<h1>Under Construction (album)</h1>${PROSE}`,
      ),
      "roads under construction": page(
        "Roads under construction",
        "<h1>Roads under construction</h1><p>The A1.",
      ),
      "a section of what comes": page(
        "The Leaves",
        `<h1>The Leaves</h1><p>A band from Leeds.</p><h2>Records</h2><h2>Coming soon</h2><p>A gig on 3 May.`,
      ),
      "an article on nginx's page": page(
        "nginx's default page",
        `<h1>What “Welcome to nginx!” means</h1>${PROSE}`,
      ),
      "the manual of nginx": page(
        "Beginner's guide",
        `<h1>Beginner's guide</h1><p>You will see “Welcome to nginx!”.`,
      ),
      "an article on It works!": page(
        "Apache says It works!",
        `<h1>Apache says It works!</h1>${PROSE}`,
      ),
      "all of it quoted": page(
        "Words of error pages",
        `<h1>Words of error pages</h1><ul><li>Page not found<li>Coming soon<li>This domain is for sale<li>Welcome to nginx!</ul>`,
      ),
      "a short page with what comes": page(
        "The Leaves",
        `<h1>The Leaves</h1><p>A band from Leeds that plays on kettles, tins and cups, and at times on the tea itself, in the open air and in all weathers.</p><h2>Coming soon</h2><p>A gig on 3 May.`,
      ),
      "a card with what comes": page(
        "Ann",
        "<h1>Ann</h1><p>Potter in Leeds, who makes cups, tins and bowls by hand, to order and for fairs.<p>Coming soon<p>Cups for two hands, in blue and in green",
      ),
      "a programme that is not known yet": page(
        "Tea Festival",
        "<h1>Tea Festival</h1><h2>Programme</h2><p>Coming soon</p><h2>Tickets</h2><p>On sale from May.",
      ),
      "a product before its launch": page(
        "Matcha One",
        "<h1>Matcha One</h1><p>A new way to whisk tea. Coming soon.</p><form><input type=email><button>Notify me</button></form>",
      ),
      "a question about nginx": page(
        "Why does nginx say Welcome to nginx?",
        "<h1>Welcome to nginx?</h1><p>It means that no site is set up. Add a server block.",
      ),
      "a firm that asks": page(
        "Dépannage à Lyon",
        "<h1>En maintenance ?</h1><p>Page introuvable ? Nous réparons votre ordinateur.",
      ),
      "a maintenance firm": page(
        "Lift maintenance | Acme",
        "<h1>Lift maintenance</h1><p>Day and night.",
      ),
      "the terms of suspension": page(
        "When an account is suspended",
        `<h1>When an account is suspended</h1>${PROSE}`,
      ),
      "a business card": page(
        "Anna Müller",
        "<h1>Anna Müller</h1><p>Photographer, Berlin</p><a href=mailto:a@b.example>a@b.example</a>",
      ),
      "a login": page(
        "Log in | Acme",
        "<h1>Log in</h1><form><label>Name<input></label><button>Go</button></form>",
      ),
      "an app's shell": page(
        "App",
        '<div id="root"></div><script type="module" src="/app.js"></script>',
      ),
      "an app's shell that is called by its 404": page(
        "404",
        '<div id="root"></div><script type="module" src="/app.js"></script>',
      ),
      "an app's shell with a word": page(
        "App",
        '<div id="root">Loading…</div><script type="module" src="/app.js"></script>',
      ),
      "no title, one word": "<!doctype html><p>Hello",
      OK: "<p>OK",
      "a status page": page("Status", "<h1>All systems operational</h1><p>No incidents."),
      "a 500 of startups": page("500 Startups", "<h1>500 Startups</h1><p>We invest."),
      "an error log's reader": page(
        "Error 500 and how to mend it",
        "<h1>Error 500 and how to mend it</h1>",
      ),
      "a registry of domains": page(
        "Register a domain name",
        "<h1>Register a domain name</h1><form><input></form>",
      ),
      "a redesign": page("A new site", "<h1>Our site is new</h1><p>Welcome."),
      "a Polish page": page("Herbata", "<h1>Herbata liściasta</h1>"),
      "a Japanese page": page("お茶", "<h1>お茶</h1><p>静岡"),
    }),
  )("%s", async (_name, text) => {
    expect((await judgePage(text)).finding).toMatchObject({ status: "pass" });
  });
});

describe("a stand-in caps the score at 40", () => {
  it.each<[string, string, string]>([
    ["“not found”", "404", "<h1>Oops!</h1><p>Nothing to see."],
    ["“not found”", "Error 404", "<p>Sorry."],
    ["“not found”", "404 Not Found", "<h1>404 Not Found</h1><hr>nginx"],
    [
      "“not found”",
      "404: This page could not be found.",
      "<h1>404</h1><h2>This page could not be found.</h2>",
    ],
    [
      "“not found”",
      "Page not found | Tea",
      `${NAV}<h1>Page not found</h1><p>Go <a href=/>home</a>${FOOTER}`,
    ],
    ["“not found”", "Page Not Found (404)", "<p>Gone"],
    ["“not found”", "Tea", "<h1>Oops! That page can’t be found.</h1><p>Try a search.<input>"],
    ["“not found”", "Tea", "<h1>The page you are looking for doesn't exist</h1>"],
    ["“not found”", "Page introuvable", "<h1>Page introuvable</h1>"],
    ["“not found”", "Erreur 404 : page non trouvée", "<p>Désolé"],
    ["“not found”", "Thé", "<h1>Oups ! Cette page n’existe pas.</h1>"],
    ["“not found”", "Seite nicht gefunden – Tee", "<h1>Seite nicht gefunden</h1>"],
    ["“not found”", "Tee", "<h1>Diese Seite existiert nicht</h1>"],
    [
      "“not found”",
      "Tea",
      "<h1>Oops!</h1><p>We can't find the page you are looking for.</p><p>It may have moved, or never have been there: start again from the home page, or search for what you were after in the box above.",
    ],
    [
      "“not found”",
      "Tea",
      "<h1>Hm</h1><p>Sorry, the page you requested was not found.</p><a href=/>Home</a>",
    ],
    ["“not found”", "Página no encontrada", "<h1>404</h1>"],
    ["“not found”", "Pagina non trovata", "<h1>404</h1>"],
    ["“not found”", "Página não encontrada", "<h1>404</h1>"],
    ["“not found”", "", "Not found"],
    ["“not found”", "Страница не найдена", "<h1>Ошибка 404</h1>"],
    ["“not found”", "Strona nie została znaleziona", "<p>Przepraszamy"],
    ["“not found”", "ページが見つかりません｜お茶", "<p>トップへ"],
    [
      "“not found”",
      "Site not found · GitHub Pages",
      "<h1>404</h1><p>There isn't a GitHub Pages site here.",
    ],
    ["“not found”", "Heroku | No such app", "<iframe src=https://www.herokucdn.com/x.html>"],
    [
      "“not found”",
      "Site not found",
      "<h1>Site not found</h1><p>Looks like you followed a broken link.",
    ],
    ["“not found”", "404: NOT_FOUND", "<p>Code: DEPLOYMENT_NOT_FOUND"],
    ["server error", "502 Bad Gateway", "<center><h1>502 Bad Gateway</h1></center>"],
    ["server error", "tea.example | 522: Connection timed out", "<h1>Connection timed out</h1>"],
    [
      "server error",
      "We're sorry, but something went wrong (500)",
      "<h1>We're sorry, but something went wrong.</h1>",
    ],
    ["server error", "Server Error (500)", "<h1>Server Error (500)</h1>"],
    ["server error", "Error", "<p>An error occurred while processing your request.</p>"],
    ["server error", "503 Backend fetch failed", "<h1>Error 503 Backend fetch failed</h1>"],
    ["server error", "403 Forbidden", "<h1>Forbidden</h1><p>You have no permission."],
    ["server error", "サーバーエラー", "<p>500"],
    ["server error", "Database Error", "<h1>Error establishing a database connection</h1>"],
    ["server error", "Tea", "<p>There has been a critical error on this website.</p><p>Learn more"],
    ["server error", "Thé", "<p>Il y a eu une erreur critique sur ce site.</p>"],
    ["server error", "WordPress › Fehler", "<p>Es gab einen kritischen Fehler auf deiner Website."],
    ["server error", "WordPress › エラー", "<p>このサイトで重大なエラーが発生しました。</p>"],
    ["server error", "Tea", "<p>Fehler beim Aufbau einer Datenbankverbindung</p>"],
    ["server error", "ERROR: The request could not be satisfied", "<h1>403 ERROR</h1>"],
    ["server error", "", "no available server"],
    ["“not found”", "Bubble", "<p>Sorry, this app does not exist.</p>"],
    ["“not found”", "Nothing is here yet", "<h1>Nothing is here yet</h1><p>Check back later."],
    ["server error", "Error", "The website encountered an unexpected error. Try again later."],
    ["server error", "Tea", "<h1>There has been an error processing your request</h1>"],
    ["for sale", "tea.com is for sale", "<h1>tea.com is for sale</h1><p>Buy now for $2,995.<form>"],
    [
      "for sale",
      "tea.com",
      "<h1>tea.com</h1><p>This domain name is for sale.</p><p>Call 0123 456.</p>",
    ],
    ["for sale", "tea.com", "<h1>This domain is for sale</h1>"],
    ["for sale", "tea.de", "<p>The domain tea.de may be for sale by its owner!</p>"],
    ["for sale", "Domain for sale", "<p>Make an offer."],
    ["for sale", "Ce nom de domaine est à vendre", "<p>Faites une offre."],
    ["for sale", "Thé", "<h1>Le domaine the.fr est à vendre !</h1>"],
    ["for sale", "Diese Domain steht zum Verkauf", "<p>Angebot"],
    ["for sale", "Este dominio está en venta", "<p>Oferta"],
    [
      "for sale",
      "Parked Domain name on Hostinger DNS system",
      "<h1>Happy to see your domain with Hostinger!</h1>",
    ],
    ["for sale", "tea.com", "<h1>This domain has expired</h1>"],
    ["not open", "Coming soon", "<h1>Coming soon</h1>"],
    ["not open", "Tea", "<h1>Tea</h1><h2>Coming soon!</h2><form><input type=email></form>"],
    ["not open", "Tea - Coming Soon", "<p>We are brewing."],
    ["not open", "Tea", "<h1>Site coming soon</h1>"],
    ["not open", "Under construction", "<h1>Under construction</h1>"],
    ["not open", "", "Our website is under construction."],
    ["not open", "Site en construction", "<h1>Site en construction</h1>"],
    ["not open", "Thé", "<h1>Bientôt en ligne</h1>"],
    ["not open", "Tee", "<h1>Hier entsteht eine neue Internetpräsenz</h1>"],
    ["not open", "Tee", "<h1>Demnächst</h1>"],
    ["not open", "Té", "<h1>Próximamente</h1>"],
    ["not open", "Sitio en construcción", "<p>Vuelva pronto."],
    ["not open", "", "Briefly unavailable for scheduled maintenance. Check back in a minute."],
    ["not open", "Thé", "<h1>Nous serons bientôt de retour</h1><p>Nous rangeons la boutique."],
    ["not open", "Maintenance mode", "<h1>We'll be back soon!</h1>"],
    ["not open", "Thé", "<h1>Site en maintenance</h1>"],
    ["not open", "お茶", "<h1>ただいま準備中です</h1>"],
    ["not open", "قريبا", "<h1>الموقع تحت الإنشاء</h1>"],
    ["not open", "Чай", "<h1>Сайт находится в разработке</h1>"],
    ["placeholder", "Tea", "<h1>Welcome to your new site</h1><p>Edit this page."],
    ["placeholder", "Web App", "<h1>Error 403 - This web app is stopped.</h1>"],
    ["starter", "Tea", "<h1>Welcome to Remix</h1><a href=/docs>Docs</a>"],
    [
      "placeholder",
      "",
      "<p>Welcome to nginx!</p><p>If you see this page, the web server is installed.</p>",
    ],
    ["placeholder", "Tea", "<h1>Welcome to nginx!</h1><p>Further configuration is required."],
    ["placeholder", "Tea", "<h1>It works!</h1>"],
    ["placeholder", "Default page", "<h1>Your website is ready</h1>"],
    ["placeholder", "Sorry, this shop is currently unavailable.", "<p>Shopify"],
    ["placeholder", "Tea", "<h1>This deployment is temporarily paused</h1>"],
    ["placeholder", "Service Suspended", "<p>This service has been suspended by its owner."],
    ["placeholder", "Konto gesperrt", "<h1>Dieses Konto wurde gesperrt</h1>"],
    ["placeholder", "Cuenta suspendida", "<h1>Esta cuenta ha sido suspendida</h1>"],
    ["placeholder", "تم إيقاف الحساب", "<h1>تم إيقاف هذا الحساب</h1>"],
    ["placeholder", "Squarespace", "<h1>This domain isn’t connected to a website yet</h1>"],
    ["placeholder", "Website Expired", "<p>Squarespace"],
    ["placeholder", "Account Suspended", "<h1>This account has been suspended.</h1>"],
    [
      "placeholder",
      "Félicitations ! Votre domaine a bien été créé chez OVHcloud !",
      "<h1>Félicitations ! Votre domaine tea.fr a bien été créé chez OVHcloud !</h1>",
    ],
    ["placeholder", "tea.com", "<h1>Congratulations! Your domain tea.com is registered</h1>"],
    ["placeholder", "tea.fr", "<h1>Ce nom de domaine a été enregistré chez un bureau</h1>"],
    [
      "placeholder",
      "tea.com",
      "<p>This domain name has already been registered. It is not yet connected to a website.",
    ],
    ["placeholder", "tea.fr", "<h1>Ce domaine est déjà enregistré</h1><p>Aucun site."],
    ["placeholder", "tea.es", "<h1>Este dominio ya está registrado</h1><p>Sin sitio web."],
    ["placeholder", "tea.it", "<h1>Questo dominio è già registrato</h1><p>Nessun sito."],
    ["placeholder", "tea.de", "<h1>Diese Internetpräsenz wurde soeben freigeschaltet.</h1>"],
    [
      "not open",
      "Under Construction",
      "<h1>Under Construction</h1><p>Our website is being built. Our new album is out in May: listen on Spotify.",
    ],
    ["not open", "Ann Lee", "<h1>Under construction</h1><p>New album."],
  ])("%s: %s, %s", async (words, title, body) => {
    const { finding, score } = await judgePage(page(title, body));
    expect(finding).toMatchObject({ status: "fail", evidence: expect.stringContaining(words) });
    expect(score()).toBeLessThanOrEqual(40);
  });
});

const lines = (text: string): string =>
  text
    .split("\n")
    .map((line) => `<p>${line.replaceAll("<", "&lt;")}</p>`)
    .join("");
const titled = (title: string): string => page(title.replaceAll("<", "&lt;"), PROSE);
const meta = (name: string, content: string): string =>
  titled("Tea").replace(
    "<title>",
    `<meta property="${name}" name="${name}" content='${content.replaceAll("'", "&#39;")}'><title>`,
  );

const inTitle = (example: string): readonly [string, string][] => [
  ["html.title", titled(example)],
  ["seo.social", meta("og:title", example)],
];

const SHOWN: Readonly<Record<StandIn["in"], (example: string) => readonly [string, string][]>> = {
  title: inTitle,
  part: inTitle,
  site: inTitle,
  ending: inTitle,
  rest: inTitle,
  description: (example) => [
    ["html.description", meta("description", example)],
    ["seo.social", meta("og:description", example)],
  ],
  image: (example) => [["seo.social", meta("og:image", example)]],
  icon: (example) => [
    [
      "html.placeholder",
      titled("Tea").replace("<title>", `<link rel="icon" href="${example}"><title>`),
    ],
  ],
  name: (example) => [
    ["reach.page", page(example, "<p>Hm.")],
    ["reach.page", page("Tea", `<h1>${example}</h1>`)],
  ],
  text: (example) => [["reach.page", page("Tea", lines(example))]],
  whole: (example) => [["reach.page", page("Tea", lines(example))]],
};

describe("the table of stand-ins", () => {
  it("has sources, and at least 120 entries, each once", () => {
    const keys = STAND_INS.map(
      ({ in: place, words, bytes = "" }) => `${place} ${words.join("|")} ${bytes}`,
    );
    expect(new Set(keys).size).toBe(STAND_INS.length);
    expect(STAND_INS.length).toBeGreaterThanOrEqual(120);
    expect(STAND_INS.filter(({ source }) => source.length < 8)).toEqual([]);
    expect(
      STAND_INS.filter(
        ({ in: place, kind }) =>
          ["title", "part", "site", "ending", "rest", "description", "image", "icon"].includes(
            place,
          ) !==
          (kind === "template"),
      ),
    ).toEqual([]);
  });

  const shown = STAND_INS.filter(({ bytes }) => bytes === undefined);
  it.each(shown.map((entry) => [`${entry.product}: ${entry.words[0]}`, entry] as const))(
    "matches %s",
    async (_name, { in: place, example }) => {
      for (const [id, text] of SHOWN[place](example))
        expect((await judgePage(text)).find(id), id).not.toMatchObject({ status: "pass" });
    },
  );
});

describe("the words of a stand-in on a real page", () => {
  const films = ["Leaf", "Kettle", "Oolong", "The Cup"];
  it.each(
    Object.entries<[string, string?]>({
      "a wine estate": [
        page("Domaine à vendre", "<h1>Domaine à vendre</h1><p>12 hectares de vignes."),
      ],
      "an estate, with its price": [
        page("Domaine", "<h1>Ce domaine est à vendre</h1><p>1 200 000 €, 12 hectares de vignes."),
      ],
      "a registrar": [page("Domain kaufen", "<h1>Domain kaufen</h1><p>Ab 5 im Jahr.<input>")],
      "a registrar in French": [page("Acheter un domaine", "<h1>Acheter un domaine</h1><input>")],
      "a registrar in Spanish": [page("Comprar dominio", "<h1>Comprar dominio</h1><input>")],
      "a finca": [page("Dominio en venta", "<h1>Dominio en venta</h1><p>Viñas.")],
      "a cinema": [
        page(
          "Coming soon | Odeon",
          `<h1>Coming soon</h1><ul>${films.map((film, day) => `<li>${film}, ${day + 3} May`).join("")}</ul>`,
        ),
      ],
      "a cinema in French": [
        page("Bientôt", "<h1>Bientôt</h1><ul><li>Le Thé, le 3 mai<li>La Tasse, le 12 juin</ul>"),
      ],
      "a cinema in German": [
        page("Demnächst", "<h1>Demnächst</h1><p>Der Tee, 3. Mai, 20:15<p>Die Tasse, 4. Mai, 20:15"),
      ],
      "a theatre in Spanish": [
        page("Próximamente", "<h1>Próximamente</h1><p>El té, 3 de mayo<p>La taza, 9 de junio"),
      ],
      ...Object.fromEntries(
        [
          "<p>The fourth album by Ann Lee, released in November 2002.</p><ol><li>Bring the Pain<li>Work It</ol>",
          "<p>Album by Ann Lee</p><p>Listen on Spotify</p>",
          "<p>Album · 2002 · 13 songs</p>",
          "<p>A novel. 320 pages, paperback.</p>",
          "<p>Ein Roman, erschienen 2019.</p>",
        ].map((body) => [
          `a work: ${body}`,
          [page("Under Construction | Ann Lee", `<h1>Under Construction</h1>${body}`)],
        ]),
      ),
      "a single": [
        page("Coming Soon – Ann Lee", "<h1>Coming Soon</h1><p>Single. Stream it on Apple Music."),
      ],
      "an album": [
        page(
          "Under Construction",
          `<h1>Under Construction</h1><ol>${films.map((film) => `<li>${film} 4:0${film.length}`).join("")}</ol>`,
        ),
      ],
      "a company": [
        page(
          "It Works!",
          "<h1>It Works!</h1><p>We make wraps, greens and coffee in Leeds for people who like all three of them, every day of the year.",
        ),
      ],
      "a company at its own name": [
        page("It Works!", "<h1>It Works!</h1>"),
        "https://www.itworks.example/",
      ],
      "a magazine at its own name": [
        page("Coming Soon", "<h1>Coming Soon</h1><p>A magazine on film."),
        "https://comingsoon.example/",
      ],
      "a glossary's 404": [
        page("404 Not Found", "<h1>404 Not Found</h1><p>The server has no such page."),
        "https://www.example.com/status/404",
      ],
      "a glossary's 502": [
        page("502 Bad Gateway", "<h1>502 Bad Gateway</h1><p>A proxy got no answer."),
        "https://www.example.com/http/502",
      ],
      "a glossary's construction": [
        page("Under construction", "<h1>Under construction</h1><p>Being built."),
        "https://www.example.com/words/under-construction",
      ],
      "a shop that waits, with a telephone": [
        page("En travaux", "<h1>En travaux</h1><p>Commandes au 01 23 45 67 89."),
      ],
      "an article on an error": [
        page(
          "How to mend “Application error: a client-side exception has occurred” in Next.js 15",
          "<h1>How to mend “Application error: a client-side exception has occurred” in Next.js</h1><p>Application error: a client-side exception has occurred<p>Read the console first.",
        ),
      ],
      "an article on a starter": [
        page(
          "A first app",
          `<h1>A first app</h1><pre>Welcome to SvelteKit\nVisit the docs to read the documentation</pre>${PROSE.repeat(2)}`,
        ),
      ],
      "an hotel by a product's name": [
        page("Hotel Expo", "<h1>Welcome to Expo</h1><p>Rooms from €80. Call +30 210 1234567."),
      ],
      "a bar at its own name": [
        page("Remix", "<h1>Welcome to Remix</h1><p>A bar."),
        "https://remixlille.example/",
      ],
      "a band called by an error": [
        page("Server Error", "<h1>Server Error</h1><p>Punk from Leeds."),
      ],
      "a film called by a refusal": [
        page("Access Denied", "<h1>Access Denied</h1><p>A film by Ann."),
      ],
      "a restaurant with its menu in the making": [
        page("青", "<h1>お知らせ</h1><p>秋のメニューは準備中です</p><p>電話 03-1234-5678"),
      ],
      "an agency that makes sites": [
        page("Ann", "<h1>Welcome to your new website</h1><p>From €900, in two weeks."),
      ],
      "a drawing that says hello": [page("Hello", "<p>Hello, World!</p><canvas></canvas>")],
    }),
  )("%s", async (_name, [text, url]) => {
    expect((await judgePage(text, url === undefined ? {} : { url })).finding).toMatchObject({
      status: "pass",
    });
  });

  it.each([
    ["Astro", "https://astro.example/"],
    ["Ghost", "https://www.ghost.example/"],
    ["Hexo", "https://hexojs.example/"],
    ["Laravel", "https://laravel.example/"],
    ["Test", "https://test-app.example/"],
    ["Rspack", "https://rspack.example/"],
  ])("are a valid title: %s at %s", async (title, url) => {
    expect((await judgePage(titled(title), { url })).find("html.title")).toMatchObject({
      status: "pass",
    });
    expect((await judgePage(titled(title))).find("html.title")).toMatchObject({ status: "fail" });
  });
});

it("a template's title of several words does not match a host's name", async () => {
  const { find } = await judgePage(titled("React App"), { url: "https://react-app.example/" });
  expect(find("html.title")).toMatchObject({ status: "fail" });
});

describe("a stand-in in other words", () => {
  it.each<[string, string, string]>([
    ["for sale", "tea.de", "<h1>tea.de</h1><h2>Diese Domain kaufen</h2><p>Preis: 2.995 €"],
    ["for sale", "tea.de kaufen", "<p>2.995 €"],
    ["for sale", "the.fr", "<h1>Ce domaine est à vendre</h1>"],
    ["for sale", "cha.example", "<h1>Este domínio está à venda</h1>"],
    ["for sale", "thee.nl", "<h1>Deze domeinnaam is te koop</h1>"],
    ["for sale", "tea.com", "<h1>tea.com is for sale</h1><p>$2,995, or call +1 555 123 4567."],
    [
      "placeholder",
      "tea.com",
      "<h1>This domain is already registered</h1><p>It is not yet connected to a website.",
    ],
    [
      "“not found”",
      "Page not found",
      `${NAV}<h1>Page not found</h1><p>Call +44 20 7946 0958.${FOOTER}`,
    ],
    ["not open", "Coming soon", "<h1>Coming soon</h1><p>We open on 3 May."],
    ["server error", "500: Internal Server Error.", "<h1>500</h1><h2>Internal Server Error.</h2>"],
    [
      "not found",
      "Page not found",
      `<nav><ul>${"<li><a href=/x>Teas by their garden</a>".repeat(9)}</ul></nav><h1>Oops</h1>`,
    ],
    [
      "starter",
      "Home",
      `<h1>Congratulations<br>— you just made a Gatsby site! 🎉🎉🎉</h1>${"<li><a href=/x>Docs</a><p>A place to learn how to build a site and to put it online.".repeat(9)}`,
    ],
  ])("%s: %s, %s", async (words, title, body) => {
    expect((await judgePage(page(title, body))).finding).toMatchObject({
      status: "fail",
      evidence: expect.stringContaining(words),
    });
  });
});

describe("a page that every path shows", () => {
  const lost = page("Tea", "<h1>Hm.</h1><p>Whatever you were after, it went.");

  it.each(
    Object.entries({
      "its own script may tell paths apart": lost.replace(
        "<h1>",
        '<script src="/app.js"></script><h1>',
      ),
      "another host's script may fill it": page(
        "Tea",
        '<app-root>Loading…</app-root><script src="https://cdn.example.net/a.js"></script>',
      ),
      "a script fills it": page(
        "Tea",
        '<div id="app"></div><script src="https://cdn.example.net/a.js"></script>',
      ),
      "it has much to say": page("Tea", PROSE),
    }),
  )("is a real page if %s", async (_name, text) => {
    expect((await judgePage(text, { repeatsPage: true })).finding).toMatchObject({
      status: "pass",
    });
  });

  it("is a stand-in otherwise", async () => {
    expect((await judgePage(lost)).finding).toMatchObject({ status: "pass" });
    expect((await judgePage(lost, { repeatsPage: true })).finding).toMatchObject({
      status: "fail",
    });
  });
});
