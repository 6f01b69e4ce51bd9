import { say } from "../../../../shared/report/words.ts";
import type { Language, Text } from "../../../base/language.ts";

interface SectionPagerProps {
  projectId: string;
  /** The id of a section of the settings, which is also the parameter that asks for another of its pages. */
  section: "people" | "hooks" | "alerts";
  page: number;
  hasMore: boolean;
  words: Readonly<Record<"first" | "more", Text>>;
  language: Language;
}

/** Leads to the other pages of one section of the settings. */
export function SectionPager(props: SectionPagerProps) {
  const { projectId, section, page, hasMore, words, language } = props;
  const path = `/projects/${projectId}/settings`;
  if (page === 1 && !hasMore) return null;
  return (
    <p class="pager">
      {page > 1 && <a href={`${path}#${section}`}>{say(words.first, language)}</a>}
      {hasMore && (
        <a href={`${path}?${section}=${page + 1}#${section}`}>{say(words.more, language)}</a>
      )}
    </p>
  );
}
