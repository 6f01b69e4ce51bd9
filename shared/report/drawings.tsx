import type { Language } from "../language.ts";
import { verdictOf } from "../verdict.ts";
import type { ReportedCheck } from "./reported.ts";
import { say, WORDS } from "./words.ts";

export type Tone = "good" | "warn" | "bad";

export function toneOf(verdict: string): Tone {
  if (verdict === "ship") return "good";
  return verdict === "do_not_ship" ? "bad" : "warn";
}

interface RingProps {
  check: Pick<ReportedCheck, "score" | "verdict">;
  language: Language;
}

export function Ring({ check: { score, verdict }, language }: RingProps) {
  const length = 2 * Math.PI * 52;
  const arc = (score / 100) * length;
  const outOf = say(WORDS.of100, language);
  return (
    <svg
      viewBox="0 0 120 120"
      role="img"
      aria-label={`Score ${score} ${outOf}`}
      class={toneOf(verdict)}
    >
      <circle cx="60" cy="60" r="52" />
      {score > 0 && (
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
        {score}
      </text>
      <text x="60" y="86" class="of">
        {outOf}
      </text>
    </svg>
  );
}

const percentOf = (share: number) => Math.min(1, Math.max(0, share)) * 100;

interface BarProps {
  share: number;
  /** The share of the assessed points. It sets the color, by the limits of the verdicts. */
  judgedShare: number;
}

export function Bar({ share, judgedShare }: BarProps) {
  const tone = toneOf(verdictOf(percentOf(judgedShare)));
  return (
    <svg class={tone} viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
      <rect width="100" height="6" />
      <rect class="full" width={percentOf(share).toFixed(1)} height="6" />
    </svg>
  );
}
