/** Findings as text for people and as objects for `--json`. */
import { SCHEMA_VERSION } from "../../env/records.ts";
import { isForeign } from "./calibrate_metrics.ts";
import type { Evidence, Finding } from "./findings.ts";

const UNITS: Readonly<Record<string, { title: string; digits: number }>> = {
  psnr: { title: "PSNR, dB", digits: 4 },
  ssim: { title: "SSIM", digits: 5 },
  lpips: { title: "LPIPS", digits: 5 },
  score: { title: "score", digits: 3 },
};

/** A further column of evidence, by knob and value. */
export interface ExtraColumn {
  readonly title: string;
  readonly cells: readonly (readonly string[])[];
}

/** One paragraph a knob: the verdict, then a line for each value. */
export function findingsText(
  findings: readonly Finding[],
  numbers: number,
  extra: ExtraColumn | null = null,
): string {
  return findings.map((finding, k) => {
    const metrics = Object.keys(finding.evidence[0].gaps);
    const heads = ["", ...metrics.map((metric) => `|d| ${UNITS[metric].title}`), `missed of ${numbers}`];
    const rows = finding.evidence.map((evidence, value) => [
      `${evidence.label === finding.value ? ">" : " "} ${evidence.label}`,
      ...metrics.map((metric) => evidence.gaps[metric].median.toFixed(UNITS[metric].digits)),
      String(evidence.missed),
      ...(extra === null ? [] : [extra.cells[k][value]]),
    ]);
    const lines = aligned([extra === null ? heads : [...heads, extra.title], ...rows]);
    return `${finding.knob}: ${verdictText(finding)}\n${lines.map((line) => `  ${line}`).join("\n")}`;
  }).join("\n\n");
}

/** What was found, or why nothing was. */
export function verdictText(finding: Finding): string {
  const { verdict, value, evidence } = finding;
  const left = evidence.filter(({ possible }) => possible);
  if (verdict === "unexplained") {
    return `unexplained; ${value} is nearest, and no combination agrees with the records`;
  }
  const foreign = isForeign(finding) ? "; no profile of ours can have it" : "";
  if (verdict === "decided") return `${value}, decided${foreign}`;
  const others = left.filter(({ label }) => label !== value);
  const joint = others.filter(({ missed }) => missed > 0);
  const reasons = [
    joint.length < others.length ? effectText(others.filter(({ missed }) => missed === 0)) : "",
    joint.length > 0 ? `${labels(joint)} fit together with other values of other knobs` : "",
  ].filter((reason) => reason !== "");
  return `undecided between ${labels(left)}${foreign}; ${reasons.join("; ")}`;
}

/** One object a knob. */
export function findingJson(stage: string, { knob, verdict, value, evidence }: Finding) {
  return {
    kind: "calibration" as const,
    schema_version: SCHEMA_VERSION,
    stage,
    knob,
    verdict,
    value,
    evidence: evidence.map(({ label, possible, missed, gaps }) => ({ value: label, possible, missed, gaps })),
  };
}

function effectText(alike: readonly Evidence[]): string {
  const largest = Object.keys(alike[0].gaps).map((metric) => ({
    metric,
    effect: Math.max(...alike.map(({ gaps }) => gaps[metric].effect)),
  }));
  if (largest.every(({ effect }) => effect < NOTHING)) return "no recorded number changes with it";
  const effects = largest.map(({ metric, effect }) =>
    `${effect.toFixed(UNITS[metric].digits)} ${UNITS[metric].title.replace(/^PSNR, /, "")}`
  );
  return `they differ by at most ${effects.join(", ")}: less than the recorded digits show`;
}

const NOTHING = 1e-6;

const labels = (evidence: readonly Evidence[]): string =>
  evidence.map(({ label }) => `"${label}"`).join(", ");

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column] + 2)).join(
      "",
    )
      .trimEnd()
  );
}
