import type { Text } from "../../../../shared/language.ts";
import { Tabs } from "../../kit/layout.tsx";
import { LIST_PAGES } from "./project-words.ts";

const TABS = {
  overview: { fr: "Vue d'ensemble", en: "Overview" },
  urls: LIST_PAGES.urls.title,
  deployments: LIST_PAGES.deployments.title,
  previews: LIST_PAGES.previews.title,
  incidents: LIST_PAGES.incidents.title,
  settings: { fr: "Réglages", en: "Settings" },
} as const satisfies Record<string, Text>;
const PROJECT: Text = { fr: "Projet", en: "Project" };

interface ProjectTabsProps {
  projectId: string;
  /** A key of `TABS`; any other string for a page below them. */
  current: string;
}

export const ProjectTabs = ({ projectId, current }: ProjectTabsProps) => (
  <Tabs
    label={PROJECT}
    tabs={Object.entries(TABS).map(([name, label]) => ({
      href: `/projects/${projectId}${name === "overview" ? "" : `/${name}`}`,
      label,
      isCurrent: name === current,
    }))}
  />
);
