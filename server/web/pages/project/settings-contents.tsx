import type { ComponentChildren } from "preact";
import type { ProjectSettings } from "../../../db/projects/project-settings.ts";
import type { Sitemap } from "../../../projects/sitemap.ts";
import type { WatchedMany } from "../../../projects/watching.ts";
import type { Filled } from "../../kit/forms.ts";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { AlertsSection } from "./alerts-section.tsx";
import { BadgeSection } from "./badge-section.tsx";
import { DeletionSection } from "./deletion-section.tsx";
import { DetailsSection } from "./details-form.tsx";
import { GateSection } from "./gate-section.tsx";
import { HooksSection } from "./hooks-section.tsx";
import { MaintenanceSection } from "./maintenance-section.tsx";
import { MembersSection } from "./members-section.tsx";
import { PreviewsSection } from "./previews-section.tsx";
import { pathOfSettings, type SettingsPage } from "./settings-forms.ts";
import { SitemapSection } from "./sitemap-section.tsx";
import { StatusPageSection } from "./status-page-section.tsx";
import { WatchedSection } from "./watched-section.tsx";

interface SettingsProps {
  settings: ProjectSettings;
  signedIn: SignedInRequest;
  /** What a form of the page shows, by the path that it is sent to. */
  filledFor: (action: string) => Filled;
  many: WatchedMany | undefined;
  sitemap: Sitemap | undefined;
  /** The page of its list; counted from 1. */
  page: number;
  origin: string;
  hasMail: boolean;
  leastSeconds: number;
  hasPlaces: boolean;
  /** What the alert or the window is that is to be added. */
  kind: string | undefined;
}

/** What stands on each page of the settings, for the project's owner. */
export const CONTENTS: Readonly<Record<SettingsPage, (props: SettingsProps) => ComponentChildren>> =
  {
    general: ({ settings, leastSeconds, hasPlaces, filledFor, signedIn: { language } }) => (
      <DetailsSection
        project={settings}
        leastSeconds={leastSeconds}
        hasPlaces={hasPlaces}
        filled={filledFor(pathOfSettings(settings.id))}
        language={language}
      />
    ),
    urls: ({ settings, filledFor, sitemap, signedIn: { language }, ...props }) => (
      <>
        <WatchedSection
          {...props}
          settings={settings}
          filled={filledFor(pathOfSettings(settings.id, "urls"))}
          language={language}
        />
        <SitemapSection
          project={settings}
          filled={filledFor(`${pathOfSettings(settings.id, "urls")}/sitemap`)}
          found={sitemap}
          language={language}
        />
      </>
    ),
    people: ({ settings: { id, people }, filledFor, ...props }) => (
      <MembersSection
        {...props}
        projectId={id}
        members={people}
        filled={filledFor(pathOfSettings(id, "people"))}
      />
    ),
    hooks: ({ settings: { id, hooks }, filledFor, ...props }) => (
      <HooksSection
        {...props}
        projectId={id}
        hooks={hooks}
        added={filledFor(pathOfSettings(id, "hooks"))}
      />
    ),
    alerts: ({ settings: { id, alerts }, filledFor, ...props }) => (
      <AlertsSection
        {...props}
        projectId={id}
        alerts={alerts}
        filled={filledFor(pathOfSettings(id, "alerts"))}
      />
    ),
    maintenance: ({ settings: { id, maintenance }, filledFor, kind, signedIn }) => (
      <MaintenanceSection
        projectId={id}
        windows={maintenance}
        kind={kind}
        filled={filledFor(pathOfSettings(id, "maintenance"))}
        signedIn={signedIn}
      />
    ),
    gate: ({ settings, filledFor, signedIn: { language } }) => (
      <GateSection
        projectId={settings.id}
        gate={settings.gate}
        filled={filledFor(pathOfSettings(settings.id, "gate"))}
        accepted={filledFor(`${pathOfSettings(settings.id, "gate")}/accept`)}
        language={language}
      />
    ),
    previews: ({ settings, filledFor, signedIn: { language } }) => (
      <PreviewsSection
        projectId={settings.id}
        previews={settings.previews}
        filled={filledFor(pathOfSettings(settings.id, "previews"))}
        language={language}
      />
    ),
    badge: ({ signedIn: { language }, ...props }) => (
      <BadgeSection {...props} language={language} />
    ),
    "status-page": ({ settings, filledFor, origin, signedIn: { language } }) => (
      <StatusPageSection
        settings={settings}
        filled={filledFor(pathOfSettings(settings.id, "status-page"))}
        origin={origin}
        language={language}
      />
    ),
    delete: ({ filledFor, ...props }) => (
      <DeletionSection {...props} filled={filledFor(pathOfSettings(props.settings.id, "delete"))} />
    ),
  };
