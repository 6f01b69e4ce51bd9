import type { ComponentChildren } from "preact";

/** What has a place in time; one without a value is marked on the axis alone. */
export interface ChartPoint {
  at: Date;
  value: number | null;
}

/** A stretch of time that is marked on the axis; `to` is null while it goes on. */
export interface ChartSpan {
  from: Date;
  to: Date | null;
}

interface ChartProps {
  label: string;
  /** What the picture says, for those who do not see it. */
  description: string;
  points: readonly ChartPoint[];
  spans: readonly ChartSpan[];
  /** The time from left to right. */
  from: Date;
  to: Date;
  /** The value at the top. */
  top: number;
  /** The value at the bottom, if it is not 0. */
  bottom?: number;
  unit?: string;
  /** The ends of the axis of time, in words. */
  ends: readonly [ComponentChildren, ComponentChildren];
}

const WIDTH = 1000;
const HEIGHT = 100;
const STRIP = 5;
/** A stretch of time can be seen however short it was. */
const LEAST_SPAN = 4;

const clamp = (x: number) => Math.min(WIDTH, Math.max(0, Math.round(x)));

/** Rectangles along the axis; those that touch are one. */
function drawSpans(spans: readonly (readonly [number, number])[]): string {
  const merged: [number, number][] = [];
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    const end = Math.max(to, from + LEAST_SPAN);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([from, end]);
  }
  return merged.map(([from, to]) => `M${from} ${HEIGHT - STRIP}H${to}v${STRIP}H${from}z`).join("");
}

/** Values over time as a line with a dot for each, above an axis on which stretches of time are marked. */
export function Chart(props: ChartProps) {
  const { label, description, points, spans, from, to, top, bottom = 0, unit = "", ends } = props;
  const [start, end] = [from.getTime(), to.getTime()];
  const x = (at: Date) => clamp(((at.getTime() - start) / Math.max(1, end - start)) * WIDTH);
  const y = (value: number) => Math.round(HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT);
  const dots = points.flatMap(({ at, value }) => (value === null ? [] : [`${x(at)} ${y(value)}`]));
  const ticks = points.map(({ at }) => `M${x(at)} ${HEIGHT}v-${STRIP}`).join("");
  return (
    <figure class="chart">
      <figcaption>{label}</figcaption>
      <div class="scale" aria-hidden="true">
        {[top, (top + bottom) / 2, bottom].map((value) => (
          <span key={value}>{value === 0 ? 0 : `${value}${unit}`}</span>
        ))}
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={description}
      >
        <path class="grid" d={`M0 0H${WIDTH}M0 50H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        {spans.length > 0 && (
          <path class="spans" d={drawSpans(spans.map((one) => [x(one.from), x(one.to ?? to)]))} />
        )}
        <path class="ticks" d={ticks} />
        {dots.length > 1 && <path class="line" d={`M${dots.join("L")}`} />}
        {dots.length > 0 && <path class="dots" d={dots.map((dot) => `M${dot}h0`).join("")} />}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>{ends[0]}</span>
        <span>{ends[1]}</span>
      </div>
    </figure>
  );
}

interface SparklineProps {
  /** From 0 to 100, oldest first. */
  values: readonly number[];
  description: string;
}

const SPARK_WIDTH = 80;
const SPARK_HEIGHT = 20;

/** Values in the order in which they came, in the size of a word. */
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

/** What the marks of a chart are. */
export function ChartKey({
  marks,
}: {
  marks: readonly (readonly [kind: string, words: string])[];
}) {
  return (
    <p class="key">
      {marks.map(([kind, words]) => (
        <span key={kind}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            {kind === "dots" && <path class="dots" d="M8 8h0" />}
            {kind === "ticks" && <path class="ticks" d="M8 16V6" />}
            {kind === "spans" && <path class="spans" d="M1 10h14v6H1z" />}
          </svg>{" "}
          {words}
        </span>
      ))}
    </p>
  );
}
