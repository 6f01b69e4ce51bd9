import { SHIP_SCORE, WARNINGS_SCORE } from "../../shared/verdict.ts";
import type { ReceivedCheck } from "../client/received.ts";

/** The style class of a verdict: its colour. */
export function toneOf(verdict: string): "good" | "warn" | "bad" {
  if (verdict === "ship") return "good";
  return verdict === "do_not_ship" ? "bad" : "warn";
}

/** The score, inside a ring filled by it. */
export function Ring({ check }: { check: ReceivedCheck }) {
  const length = 2 * Math.PI * 52;
  const arc = (check.score / 100) * length;
  return (
    <svg
      viewBox="0 0 120 120"
      role="img"
      aria-label={`Score ${check.score} of 100`}
      class={toneOf(check.verdict)}
    >
      <circle cx="60" cy="60" r="52" />
      {check.score > 0 && (
        <circle
          class="arc"
          cx="60"
          cy="60"
          r="52"
          stroke-dasharray={`${arc.toFixed(1)} ${length.toFixed(1)}`}
          transform="rotate(-90 60 60)"
        />
      )}
      <text x="60" y="68">
        {check.score}
      </text>
      <text x="60" y="86" class="of">
        of 100
      </text>
    </svg>
  );
}

/** A bar filled by a share of 0 to 1, in the colours of the verdict's bands. */
export function Bar({ share }: { share: number }) {
  const percent = Math.min(1, Math.max(0, share)) * 100;
  const tone = percent >= SHIP_SCORE ? "good" : percent < WARNINGS_SCORE ? "bad" : "warn";
  return (
    <svg class={tone} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" />
      <rect class="full" width={percent.toFixed(1)} height="6" />
    </svg>
  );
}
