import { say } from "../../../../shared/report/words.ts";
import { renderDocument, type Reader, type Site } from "../../kit/document.tsx";
import { DELETION, REPORT } from "./scan-words.ts";

export interface DeletePageOptions extends Reader {
  site: Site;
  id: string;
  url: string;
  deleteKey: string;
}

/** Asks whether a scan is to be deleted: programs that look at links must not do it. */
export function renderDeletePage(options: DeletePageOptions): string {
  const { site, id, url, deleteKey, ...reader } = options;
  const { language } = reader;
  return renderDocument({
    ...reader,
    title: say(DELETION.title, language),
    site,
    isIndexed: false,
    children: (
      <>
        <h1>{say(DELETION.title, language)}</h1>
        <p>{url}</p>
        <p>{say(DELETION.lead, language)}</p>
        <form class="actions" method="post" action={`/scan/${id}/delete`}>
          <input type="hidden" name="key" value={deleteKey} />
          <button type="submit" class="danger">
            {say(REPORT.delete, language)}
          </button>
          <a href={`/scan/${id}`}>{say(DELETION.back, language)}</a>
        </form>
      </>
    ),
  });
}
