import * as z from 'zod';
import { CORE_CRITERIA, type CriterionKey } from './criteria';
import { type RoleName, roleCriteria } from './roles';
import type { Scores } from './scoring';
import { soleJson } from './sole-json';

/** A response as one call shows it to one judge. */
export interface Shown {
  readonly label: string;
  readonly role?: RoleName;
}

/** What a judge said of one response. */
export interface Finding {
  readonly scores: Scores;
  readonly reasoning: string;
  /** Why a second look moved the scores; empty when the judge gave no reason. */
  readonly change: string;
  /** Role criteria the judge left out or spoilt. */
  readonly missing: readonly CriterionKey[];
}

/** A judge's reply, read: what can be used, by label, and what is wrong with the rest, in words for the judge. */
export interface Verdict {
  readonly findings: ReadonlyMap<string, Finding>;
  readonly problems: readonly string[];
}

/** No reasoning worth reading is longer; it comes back in the reply once for every judge. */
const REASONING_CHARACTERS_MAX = 4_000;
const SCORE_RULE = 'must be a number from 0 to 10';
const NOT_JSON = 'the reply must be exactly one JSON object with an array "items"';

/** `8`, `"8"` and `"8/10"` are scores; nothing is clamped, defaulted or guessed. */
const score = z.preprocess(
  (value) => {
    const digits =
      typeof value === 'string' ? /^\s*(\d{1,2}(?:\.\d+)?)\s*(?:\/\s*10\s*)?$/.exec(value)?.[1] : undefined;
    return digits === undefined ? value : Number(digits);
  },
  z.number(SCORE_RULE).min(0, SCORE_RULE).max(10, SCORE_RULE),
);

const prose = z
  .string()
  .catch('')
  .transform((text) => text.slice(0, REASONING_CHARACTERS_MAX).toWellFormed().trim());
const labelled = z.looseObject({
  label: z.string().transform((label) => label.trim()),
  reasoning: prose,
  change: prose,
});
const reply = z.object({ items: z.array(z.unknown()) });
const coreScores = z.object(
  Object.fromEntries(CORE_CRITERIA.map((key) => [key, score])) as Record<(typeof CORE_CRITERIA)[number], typeof score>,
);

type Item = z.infer<typeof labelled>;

/**
 * Reads a reply strictly. The items are those of the one JSON object in it that speaks of a response shown; labels that
 * were not shown are ignored, and a label scored twice differently counts as not scored.
 */
export function readVerdict(text: string, shown: readonly Shown[]): Verdict {
  const labels = new Set(shown.map(({ label }) => label));
  const items = soleJson(text, (value) => itemsOf(value, labels));
  if (!items) return { findings: new Map(), problems: [NOT_JSON] };
  const byLabel = Map.groupBy(items, ({ label }) => label);
  const findings = new Map<string, Finding>();
  const problems: string[] = [];
  for (const one of shown) {
    const finding = readItems(byLabel.get(one.label) ?? [], one, problems);
    if (finding) findings.set(one.label, { ...finding, ...withoutLabels(finding, one.label, labels) });
  }
  return { findings, problems };
}

/** The items about responses shown; undefined when the value is no verdict on any of them. */
function itemsOf(value: unknown, labels: ReadonlySet<string>): Item[] | undefined {
  const parsed = reply.safeParse(value);
  if (!parsed.success) return undefined;
  const items = parsed.data.items.flatMap((item) => {
    const read = labelled.safeParse(item);
    return read.success && labels.has(read.data.label) ? [read.data] : [];
  });
  return items.length === 0 ? undefined : items;
}

function readItems(items: readonly Item[], { label, role }: Shown, problems: string[]): Finding | undefined {
  const [item] = items;
  if (!item) {
    problems.push(`${label}: missing`);
    return undefined;
  }
  const core = coreScores.safeParse(item);
  if (!core.success) {
    problems.push(...core.error.issues.map(({ path }) => `${label}.${path.join('.')}: ${SCORE_RULE}`));
    return undefined;
  }
  const scores: Partial<Record<CriterionKey, number>> = { ...core.data };
  const missing: CriterionKey[] = [];
  for (const key of roleCriteria(role)) {
    const further = score.safeParse(item[key]);
    if (further.success) scores[key] = further.data;
    else missing.push(key);
  }
  problems.push(...missing.map((key) => `${label}.${key}: ${SCORE_RULE}`));
  if (items.slice(1).some((other) => !sameScores(other, scores, missing))) {
    problems.push(`${label}: scored more than once`);
    return undefined;
  }
  return { scores, reasoning: item.reasoning, change: item.change, missing };
}

function sameScores(item: Item, scores: Scores, missing: readonly CriterionKey[]): boolean {
  const keys = Object.keys(scores) as CriterionKey[];
  const same = keys.every((key) => score.safeParse(item[key]).data === scores[key]);
  return same && missing.every((key) => !score.safeParse(item[key]).success);
}

/** Labels mean nothing outside their call: in what others will read they become words. */
function withoutLabels(
  { reasoning, change }: Finding,
  own: string,
  labels: ReadonlySet<string>,
): Pick<Finding, 'reasoning' | 'change'> {
  const pattern = new RegExp(`\\b(?:${[...labels].join('|')})\\b`, 'g');
  const inWords = (text: string): string =>
    text.replace(pattern, (label) => (label === own ? 'this response' : 'another response'));
  return { reasoning: inWords(reasoning), change: inWords(change) };
}
