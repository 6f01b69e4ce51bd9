import { T, useSay } from "../../kit/reader.tsx";
import type { Text } from "../../../../shared/language.ts";
import { MAX_SHOWN_URLS } from "../../../db/projects/status-pages.ts";
import {
  editStatusPage,
  pathOfStatusPage,
  removeStatusPage,
  StatusPageEdit,
} from "../../../projects/status-pages.ts";
import { CopyField } from "../../kit/components.tsx";
import { Checkboxes, Field, TextArea, Form } from "../../kit/fields.tsx";
import { refuse, type Fields, type Refusals, type Refusal } from "../../kit/forms.ts";
import { Section } from "../../kit/layout.tsx";
import { addConfirmation } from "../../kit/session/question.tsx";
import { ActionButton } from "./state-badges.tsx";
import {
  pathOfSettings,
  requireOwn,
  type OfProject,
  type SettingsProps,
  type SettingsTab,
} from "./settings-tabs.ts";
import { SETTINGS_TITLES, WORDS as SETTINGS } from "./settings-words.ts";

const WORDS = {
  lead: {
    fr: "Une page publique qui indique à tous ce qui fonctionne. Elle n'affiche ni le nom du projet ni la cause d'un incident.",
    en: "A public page that shows everyone what works. It reveals neither the project's name nor the cause of an incident.",
  },
  address: { fr: "URL de la page", en: "Page URL" },
  open: { fr: "Ouvrir la page", en: "Open the page" },
  name: { fr: "Nom dans l'URL", en: "Name in the URL" },
  nameHint: {
    fr: "De 3 à 40 caractères : lettres de a à z, chiffres et traits d'union.",
    en: "3 to 40 characters: letters a to z, digits and hyphens.",
  },
  title: { fr: "Titre (facultatif)", en: "Title (optional)" },
  titleHint: {
    fr: "Une ligne de 100 caractères au plus. Laissez vide pour afficher le nom.",
    en: "One line of at most 100 characters. Leave empty to show the name.",
  },
  urls: { fr: "URL à afficher, une par ligne", en: "URLs to show, one per line" },
  urlsHint: {
    fr: `Chaque ligne est une URL surveillée, puis = et un libellé de 1 à 60 caractères ; ${MAX_SHOWN_URLS} lignes au plus.`,
    en: `Each line is a watched URL, then = and a label of 1 to 60 characters; at most ${MAX_SHOWN_URLS} lines.`,
  },
  website: { fr: "Site web", en: "Website" },
  options: { fr: "Options", en: "Options" },
  addresses: { fr: "Afficher les URL elles-mêmes", en: "Show the URLs themselves" },
  score: { fr: "Afficher le Ship Score du projet", en: "Show the project's Ship Score" },
  index: {
    fr: "Autoriser les moteurs de recherche à indexer la page",
    en: "Let search engines index the page",
  },
  taken: {
    fr: "Une autre page d'état porte ce nom. Choisissez-en un autre.",
    en: "Another status page has this name. Choose another name.",
  },
  removal: {
    fr: "Son URL n'affichera plus rien, et son nom redeviendra disponible pour un autre projet. Son titre et ses options seront perdus ; les libellés des URL seront conservés.",
    en: "Its URL will no longer show anything, and its name will be free for another project. Its title and its options will be lost; the labels of the URLs will be kept.",
  },
  ofPage: { fr: "la page d'état", en: "the status page" },
} as const satisfies Record<string, Text>;

const OPTIONS = ["addresses", "score", "index"] as const;

function readStatusPage(fields: Fields): StatusPageEdit | Refusal {
  const { name = "", title, urls = "" } = fields;
  const show = urls.split(/\r\n?|\n/).filter((line) => line.trim() !== "");
  const options = Object.fromEntries(OPTIONS.map((option) => [option, fields[option] === "on"]));
  const { data, error } = StatusPageEdit.safeParse({ name: name.trim(), title, show, ...options });
  if (data !== undefined) return data;
  const [field] = error.issues[0]?.path ?? [];
  if (field === "name") return refuse({ name: WORDS.nameHint });
  return field === "title" ? refuse({ title: WORDS.titleHint }) : refuse({ urls: WORDS.urlsHint });
}

const REFUSALS: Refusals = {
  status_name_taken: { name: WORDS.taken },
  too_many_shown_urls: { urls: WORDS.urlsHint },
  input_invalid: { urls: WORDS.urlsHint },
  status_url_not_watched: ({ url }) => ({
    urls: {
      fr: `Ce projet ne surveille pas ${url}. Ajoutez d'abord cette URL aux URL surveillées.`,
      en: `This project does not watch ${url}. Add this URL to the watched URLs first.`,
    },
  }),
};

function StatusPage({ settings, origin }: SettingsProps) {
  const say = useSay();
  const { page = null, urls = [] } = settings.statusPage ?? {};
  const action = pathOfSettings(settings.id, "status-page");
  const path = pathOfStatusPage(page?.name ?? "");
  const shown = urls.map(({ url, label }) => `${url}=${label}`).join("\n");
  const first = page === null ? `${settings.url}=${say(WORDS.website)}` : "";
  return (
    <Section id="status-page" title={SETTINGS_TITLES["status-page"]}>
      <p>
        <T text={WORDS.lead} />
      </p>
      {page !== null && (
        <CopyField id="address" label={WORDS.address} value={`${origin}${path}`}>
          <a class="button second" href={path}>
            <T text={WORDS.open} />
          </a>
        </CopyField>
      )}
      <Form
        action={`${action}#status-page`}
        submit={page === null ? SETTINGS.switchOn : SETTINGS.save}
      >
        <Field name="name" label={WORDS.name} hint={WORDS.nameHint} value={page?.name ?? ""} />
        <Field name="title" label={WORDS.title} hint={WORDS.titleHint} value={page?.title ?? ""} />
        <TextArea name="urls" label={WORDS.urls} hint={WORDS.urlsHint} value={shown || first} />
        <Checkboxes
          name="options"
          label={WORDS.options}
          boxes={OPTIONS.map((name) => ({
            name,
            label: WORDS[name],
            isTicked: page?.[name] === true,
          }))}
        />
      </Form>
      {page !== null && (
        <ActionButton
          action={`${action}/off`}
          method="get"
          label={SETTINGS.switchOff}
          on={WORDS.ofPage}
          isPlain
        />
      )}
    </Section>
  );
}

export const STATUS_PAGE_TAB: SettingsTab = {
  refusals: REFUSALS,
  Content: StatusPage,
  addForms(addForm, deps, door) {
    addForm("", async ({ actor, project, fields }) => {
      const page = readStatusPage(fields);
      if ("problems" in page) return page;
      await editStatusPage(deps, actor, project.id, page, true);
      return "status-page-saved";
    });
    const path = pathOfSettings(":id", "status-page");
    addConfirmation(door, deps, {
      path: `${path}/off`,
      find: (request) => requireOwn(deps, request as OfProject),
      ask: ({ id }) => ({
        consequence: WORDS.removal,
        button: SETTINGS.switchOff,
        name: WORDS.ofPage,
        back: path.replace(":id", id),
      }),
      act: (project, { actor }) => removeStatusPage(deps, actor, project.id),
      redirect: ({ params }) => ({
        to: path.replace(":id", (params as { id: string }).id),
        done: "status-page-removed",
      }),
    });
  },
};
