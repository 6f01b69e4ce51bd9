import type { ComponentChildren } from "preact";
import { useReader, useSay, type Wording } from "../../kit/reader.tsx";
import type { ListedIncident } from "../../../db/watching/incident-pages.ts";
import { Address } from "../../kit/address.tsx";
import { describeLength, Moment } from "../../kit/time.tsx";
import { Table } from "../../kit/layout.tsx";
import { describeLocations, nameFailure, WORDS } from "./incident-words.ts";

interface IncidentTableProps<Row> {
  labelledBy?: string;
  empty?: Wording;
  rows: readonly Row[];
  /** The project's URL, to shorten other URLs. Null hides the URLs, if all incidents have the same. */
  within?: string | null;
  projectOf?: (incident: Row) => ComponentChildren;
}

export function IncidentTable<Row extends ListedIncident>(props: IncidentTableProps<Row>) {
  const say = useSay();
  const { rows, within, projectOf } = props;
  const { language, now } = useReader();
  const head = [
    "what",
    ...(within === null ? [] : (["url"] as const)),
    ...(projectOf ? (["project"] as const) : []),
    "began",
    "lasted",
  ] as const;
  return (
    <Table
      labelledBy={props.labelledBy}
      empty={props.empty}
      head={head.map((name) => WORDS[name])}
      rows={rows.map((incident) => {
        const { id, url, since, closedAt } = incident;
        const from = describeLocations(incident, language);
        const lasted = describeLength(since, closedAt ?? now, language);
        return {
          key: id,
          cells: [
            <>
              <a href={`/incidents/${id}`}>{nameFailure(incident, language)}</a>
              {from && `, ${from}`}
            </>,
            ...(within === null ? [] : [<Address url={url} within={within} />]),
            ...(projectOf ? [projectOf(incident)] : []),
            <Moment at={since} />,
            closedAt === null ? `${lasted}, ${say(WORDS.open)}` : lasted,
          ],
        };
      })}
    />
  );
}
