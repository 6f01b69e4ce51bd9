import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";
import { tabTo, visit, type Reader } from "./browser.ts";
import type { TestServer } from "./server.ts";

export interface BrowserMode extends Pick<Reader, "language" | "width" | "hasScript"> {
  name: string;
  byKeyboard: boolean;
}

/** Every story runs in both modes. */
export const BROWSER_MODES: readonly BrowserMode[] = [
  ["with a mouse, in English", "en", 1280, true] as const,
  ["by keyboard alone, without script, at 320 px, in French", "fr", 320, false] as const,
].map(([name, language, width, hasScript]) => ({
  name,
  language,
  width,
  hasScript,
  byKeyboard: !hasScript,
}));

const FRENCH = {
  "Sign in": "Se connecter",
  Add: "Ajouter",
  "Sign out": "Se déconnecter",
  "Create a token": "Créer un jeton",
  Revoke: "Révoquer",
  End: "Terminer",
  "Sign out the others": "Fermer les autres sessions",
  "Change the password": "Changer le mot de passe",
  "Create the project": "Créer le projet",
  Save: "Enregistrer",
  Watch: "Surveiller",
  Invite: "Inviter",
  Resend: "Renvoyer",
  Withdraw: "Annuler l'invitation",
  Accept: "Accepter",
  Decline: "Refuser",
  Remove: "Retirer",
  "Transfer ownership": "Transférer",
  Leave: "Quitter",
  Delete: "Supprimer",
  "Turn on": "Activer",
  "Turn off": "Désactiver",
  Confirm: "Confirmer",
  Filter: "Filtrer",
  "Add the alert": "Ajouter l'alerte",
  Test: "Tester",
  Rotate: "Renouveler",
  Retry: "Réessayer",
} as const;

export type Button = keyof typeof FRENCH;

/** Operates the pages of one browser as a user does. */
export class PageDriver {
  readonly page: Page;
  readonly #mode: BrowserMode;

  constructor(page: Page, mode: BrowserMode) {
    this.page = page;
    this.#mode = mode;
  }

  text(): Promise<string> {
    return this.page.locator("main").innerText();
  }

  async open(path: string): Promise<void> {
    await this.page.goto(path);
  }

  get path(): string {
    return new URL(this.page.url()).pathname;
  }

  say(en: string, fr: string): string {
    return this.#mode.language === "en" ? en : fr;
  }

  /** Returns the button with this name. `of`: the object that the accessible name also contains. */
  button(name: Button, of = ""): Locator {
    const text = this.say(name, FRENCH[name]).replaceAll("'", "['’]");
    const exact = new RegExp(`^${text}${of && ` ${of.replace(/[.*+?()/]/g, "\\$&")}`}$`);
    return this.page.getByRole("button", { name: exact });
  }

  async press(name: Button, of = ""): Promise<void> {
    await this.#leave(this.button(name, of));
  }

  async submit(): Promise<void> {
    await this.#leave(this.page.locator("main form button[type=submit]"));
  }

  async follow(href: string): Promise<void> {
    await this.#leave(this.page.locator(`a[href="${href}"]`).first());
  }

  /** Types into the field with this name. `within`: the path of the field's form. */
  async type(field: string, text: string, within = ""): Promise<void> {
    const form = within === "" ? "" : `form[action="${within}"] `;
    const target = this.page.locator(`${form}[name="${field}"]:not([type="hidden"])`);
    if (!this.#mode.byKeyboard) {
      await target.fill(text);
      return;
    }
    await tabTo(this.page, target);
    await this.page.keyboard.press("ControlOrMeta+A");
    await this.page.keyboard.insertText(text);
  }

  async signIn(email: string, password: string): Promise<void> {
    await this.type("email", email);
    await this.type("password", password);
    await this.press("Sign in");
  }

  async #leave(target: Locator): Promise<void> {
    expect(await target.count()).toBe(1);
    const loaded = this.page.waitForEvent("load");
    if (this.#mode.byKeyboard) {
      await tabTo(this.page, target);
      await this.page.keyboard.press("Enter");
    } else await target.click();
    await loaded;
  }
}

export async function openBrowser(server: TestServer, mode: BrowserMode): Promise<PageDriver> {
  return new PageDriver(await visit(server.url, mode), mode);
}
