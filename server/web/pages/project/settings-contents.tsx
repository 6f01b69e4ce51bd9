import type { ComponentChildren } from "preact";
import { AlertsSection } from "./alerts-section.tsx";
import { BadgeSection } from "./badge-section.tsx";
import { DeletionSection } from "./deletion-section.tsx";
import { DetailsSection } from "./details-form.tsx";
import { GateSection } from "./gate-section.tsx";
import { HooksSection } from "./hooks-section.tsx";
import { MaintenanceSection } from "./maintenance-section.tsx";
import { MembersSection } from "./members-section.tsx";
import { PreviewsSection } from "./previews-section.tsx";
import type { SettingsPage, SettingsProps } from "./settings-forms.ts";
import { StatusPageSection } from "./status-page-section.tsx";
import { WatchedSection } from "./watched-section.tsx";

/** What stands on each page of the settings, for the project's owner. */
export const CONTENTS: Readonly<Record<SettingsPage, (props: SettingsProps) => ComponentChildren>> =
  {
    general: DetailsSection,
    urls: WatchedSection,
    people: MembersSection,
    hooks: HooksSection,
    alerts: AlertsSection,
    maintenance: MaintenanceSection,
    gate: GateSection,
    previews: PreviewsSection,
    badge: BadgeSection,
    "status-page": StatusPageSection,
    delete: DeletionSection,
  };
