import { openSession } from "../../server/access/sessions.ts";
import { readPage, type Page } from "./page.ts";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";

export interface PageAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The Location header without the server's origin. Undefined without the header. */
  readonly location: string | undefined;
  readonly html: string;
  readonly page: Page;
}

export interface ClientOptions {
  language?: "fr" | "en";
  headers?: Record<string, string>;
  /** The client's first cookies, by name. */
  cookies?: Record<string, string>;
}

/** A browser without script: keeps cookies, sends forms from the same origin, follows no redirects. */
export class Client {
  readonly cookies: Map<string, string>;
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, { language = "en", headers = {}, cookies = {} }: ClientOptions = {}) {
    this.#url = url;
    this.#headers = { "accept-language": language, accept: "text/html", ...headers };
    this.cookies = new Map(Object.entries(cookies));
  }

  get(path: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
    return this.#send(path, { headers });
  }

  /** Sends a form, as a page of the server would. */
  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<PageAnswer> {
    return this.#send(path, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers: { "sec-fetch-site": "same-origin", ...headers },
    });
  }

  /** Presses the button with this accessible name on a page, after filling in its form. */
  press(
    { page }: Pick<PageAnswer, "page">,
    button: string,
    typed: Record<string, string> = {},
  ): Promise<PageAnswer> {
    const form = page.formOf(button);
    const fields = { ...form.sent(button), ...typed };
    if (form.method === "post") return this.post(form.action, fields);
    return this.get(`${form.action}?${new URLSearchParams(fields)}`);
  }

  /** Presses a button that leads to a confirmation page, and the same button there. */
  async confirm(
    answer: Pick<PageAnswer, "page">,
    button: string,
    typed: Record<string, string> = {},
  ): Promise<PageAnswer> {
    return this.press(await this.press(answer, button), button, typed);
  }

  /** Follows redirects to the first page without one. */
  async follow(answer: PageAnswer): Promise<PageAnswer> {
    let last = answer;
    for (let hops = 0; last.location !== undefined && hops < 5; hops++)
      last = await this.get(last.location);
    return last;
  }

  async #send(
    path: string,
    init: Omit<RequestInit, "headers"> & { headers: Record<string, string> },
  ): Promise<PageAnswer> {
    const url = new URL(path, this.#url);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...this.#headers, ...(cookie && { cookie }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) this.#keep(line);
    const html = await response.text();
    const location = response.headers.get("location") ?? undefined;
    let page: Page | undefined;
    return {
      status: response.status,
      headers: response.headers,
      location: location?.replace(url.origin, ""),
      html,
      get page() {
        return (page ??= readPage(html, url.pathname));
      },
    };
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (value === "") this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

export async function signIn(
  server: TestServer,
  person: Person,
  options: ClientOptions = {},
): Promise<Client> {
  const where = { browser: "test", address: "127.0.0.1" };
  const { sql } = server.deps.database;
  const { secret: shipscore } = await openSession(sql, person.accountId, where);
  return new Client(server.url, { ...options, cookies: { shipscore, ...options.cookies } });
}

export const signedOutClient = (server: TestServer, options: ClientOptions = {}): Client =>
  new Client(server.url, options);
