/** `day`: the last score of a day. */
export interface ChartMark {
  at: Date;
  value: number;
  kind: "deployment" | "day";
  title: string;
  href?: string;
}

/** `to` is null while the period lasts. */
export interface ChartSpan {
  from: Date;
  to: Date | null;
  title: string;
  /** Undefined for planned maintenance. */
  href?: string;
}

interface ChartProps {
  description: string;
  /** Oldest first. */
  marks: readonly ChartMark[];
  spans: readonly ChartSpan[];
  from: Date;
  to: Date;
  dates: readonly string[];
}

const TOP = 100;
/** In percent of the width: a period stays visible however short it is. */
const LEAST_SPAN = 0.5;

const round = (share: number) => Math.round(Math.min(100, Math.max(0, share)) * 10) / 10;
const percent = (share: number) => `${round(share)}%`;

/** A multiple of 10 below the lowest value, so that small differences are visible. */
const bottomOf = (marks: readonly ChartMark[]): number =>
  Math.max(0, Math.floor((Math.min(80, ...marks.map(({ value }) => value)) - 5) / 10) * 10);

/** The links of the marks cannot be reached with the keyboard, because a list on the page has them too. */
export function Chart({ description, marks, spans, from, to, dates }: ChartProps) {
  const [start, end] = [from.getTime(), to.getTime()];
  const x = (at: Date) => round(((at.getTime() - start) / Math.max(1, end - start)) * 100);
  const bottom = bottomOf(marks);
  const y = (value: number) => round(((TOP - value) / (TOP - bottom)) * 100);
  const last = marks.at(-1);
  return (
    <figure class="chart">
      <div class="scale" aria-hidden="true">
        {[TOP, (TOP + bottom) / 2, bottom].map((value) => (
          <span key={value}>{value}</span>
        ))}
      </div>
      <svg role="group" aria-label={description}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <path class="grid" d="M0 0H100M0 50H100M0 100H100" />
          <path
            class="line"
            d={`M${marks.map(({ at, value }) => `${x(at)} ${y(value)}`).join("L")}`}
          />
        </svg>
        {spans.map((span) => {
          const left = Math.min(x(span.from), 100 - LEAST_SPAN);
          const width = Math.max(LEAST_SPAN, x(span.to ?? to) - left);
          const place = { x: percent(left), y: "93%", width: percent(width), height: "7%" };
          if (span.href === undefined)
            return (
              <rect class="planned" role="img" {...place}>
                <title>{span.title}</title>
              </rect>
            );
          return (
            <a href={span.href} tabindex={-1}>
              <title>{span.title}</title>
              <rect class="spans" {...place} />
            </a>
          );
        })}
        {marks.map(({ at, value, kind, title, href }) => {
          const place = { cx: `${x(at)}%`, cy: `${y(value)}%` };
          if (href === undefined)
            return (
              <circle class={kind} r="2.5" {...place} role="img">
                <title>{title}</title>
              </circle>
            );
          return (
            <a href={href} tabindex={-1}>
              <title>{title}</title>
              <circle class={kind} r="5.5" {...place} />
            </a>
          );
        })}
        {last && (
          <text x={`${x(last.at)}%`} y={`${y(last.value)}%`} dx="10" dy="5" aria-hidden="true">
            {last.value}
          </text>
        )}
      </svg>
      <div class="ends" aria-hidden="true">
        {dates.map((date) => (
          <span>{date}</span>
        ))}
      </div>
    </figure>
  );
}

export interface StripBar {
  tone: "good" | "warn" | "bad" | "none";
  title: string;
}

const BAR_HEIGHTS: Readonly<Record<StripBar["tone"], number>> = {
  good: 30,
  warn: 22,
  bad: 14,
  none: 4,
};

export function Strip({ bars, label }: { bars: readonly StripBar[]; label: string }) {
  return (
    <svg
      class="strip"
      viewBox={`0 0 ${bars.length * 10} 30`}
      preserveAspectRatio="none"
      role="group"
      aria-label={label}
    >
      {bars.map(({ tone, title }, index) => {
        const height = BAR_HEIGHTS[tone];
        return (
          <rect
            class={tone}
            x={index * 10 + 1}
            y={30 - height}
            width="8"
            height={height}
            role="img"
          >
            <title>{title}</title>
          </rect>
        );
      })}
    </svg>
  );
}

interface SparklineProps {
  /** From 0 to 100, oldest first. */
  values: readonly number[];
  description: string;
}

const SPARK_WIDTH = 80;
const SPARK_HEIGHT = 20;

export function Sparkline({ values, description }: SparklineProps) {
  const step = SPARK_WIDTH / Math.max(1, values.length - 1);
  const places = values.map(
    (value, index) =>
      `${Math.round(SPARK_WIDTH - (values.length - 1 - index) * step)} ${Math.round(SPARK_HEIGHT * (1 - value / 100))}`,
  );
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${SPARK_WIDTH} ${SPARK_HEIGHT}`}
      role="img"
      aria-label={description}
    >
      {places.length > 1 && <path d={`M${places.join("L")}`} />}
      <path class="dots" d={`M${places.at(-1)}h0`} />
    </svg>
  );
}

export function ChartKey({
  marks,
}: {
  marks: readonly (readonly [kind: "deployment" | "day" | "spans" | "planned", words: string])[];
}) {
  return (
    <p class="key">
      {marks.map(([kind, words]) => (
        <span key={kind}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            {kind === "spans" || kind === "planned" ? (
              <path class={kind} d="M1 10h14v6H1z" />
            ) : (
              <circle class={kind} cx="8" cy="9" r={kind === "deployment" ? 5.5 : 2.5} />
            )}
          </svg>{" "}
          {words}
        </span>
      ))}
    </p>
  );
}
