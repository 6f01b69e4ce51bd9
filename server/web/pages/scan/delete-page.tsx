import { renderDocument, type Site } from "../../kit/document.tsx";
import { useSay, type Reader } from "../../kit/reader.tsx";
import { DELETION, REPORT } from "./scan-words.ts";

interface DeletePageOptions {
  reader: Reader;
  site: Site;
  id: string;
  url: string;
  deleteKey: string;
}

function DeletePage({ id, url, deleteKey }: Omit<DeletePageOptions, "reader" | "site">) {
  const say = useSay();
  return (
    <>
      <h1>{say(DELETION.title)}</h1>
      <p>{url}</p>
      <p>{say(DELETION.lead)}</p>
      <form class="actions" method="post" action={`/scan/${id}/delete`}>
        <input type="hidden" name="key" value={deleteKey} />
        <button type="submit" class="danger">
          {say(REPORT.delete)}
        </button>
        <a href={`/scan/${id}`}>{say(DELETION.back)}</a>
      </form>
    </>
  );
}

/** Asks whether a scan is to be deleted: programs that look at links must not do it. */
export const renderDeletePage = ({ reader, site, ...scan }: DeletePageOptions): string =>
  renderDocument({
    ...reader,
    title: DELETION.title,
    site,
    isIndexed: false,
    children: <DeletePage {...scan} />,
  });
