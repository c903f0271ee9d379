import * as z from 'zod';
import { lastJson } from '../prompting/json-in-reply';
import type { Opinion, ShownResponse } from './judge-prompts';
import { CORE_CRITERIA, type CriterionKey, criteriaOf } from './rubric';
import type { Scores } from './scoring';

export interface Finding extends Opinion {
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

const REASONING_CHARACTERS_MAX = 4_000;
const SCORE_RULE = 'must be a number from 0 to 10';
const NOT_JSON = 'the reply must be exactly one JSON object with an array "items"';

const prose = z
  .string()
  .catch('')
  .transform((text) => text.slice(0, REASONING_CHARACTERS_MAX).toWellFormed().trim());
const labelled = z.looseObject({ label: z.string().trim(), reasoning: prose, change: prose });
const reply = z.object({ items: z.array(z.unknown()) });

type Item = z.infer<typeof labelled>;
type Shown = Pick<ShownResponse, 'label' | 'role'>;

/** Reads the last JSON object of a reply that scores a response shown; a label scored twice differently is not scored. */
export function readVerdict(text: string, shown: readonly Shown[]): Verdict {
  const labels = shown.map(({ label }) => label);
  const items = lastJson(text, (value) => itemsOf(value, labels));
  if (!items) return { findings: new Map(), problems: [NOT_JSON] };
  const byLabel = Map.groupBy(items, ({ label }) => label);
  const anyLabel = new RegExp(`\\b(?:${labels.join('|')})\\b`, 'g');
  const findings = new Map<string, Finding>();
  const problems: string[] = [];
  for (const one of shown) {
    const finding = readItems(byLabel.get(one.label) ?? [], one, problems);
    if (!finding) continue;
    // Labels mean nothing outside their call: in what others will read they become words.
    const inWords = (said: string): string =>
      said.replace(anyLabel, (label) => (label === one.label ? 'this response' : 'another response'));
    findings.set(one.label, { ...finding, reasoning: inWords(finding.reasoning), change: inWords(finding.change) });
  }
  return { findings, problems };
}

/** The items about responses shown; undefined when the value is no verdict on any of them. */
function itemsOf(value: unknown, labels: readonly string[]): Item[] | undefined {
  const items = reply.safeParse(value).data?.items.flatMap((item) => labelled.safeParse(item).data ?? []);
  const known = items?.filter(({ label }) => labels.includes(label));
  return known?.length === 0 ? undefined : known;
}

function readItems(items: readonly Item[], { label, role }: Shown, problems: string[]): Finding | undefined {
  const criteria = criteriaOf([role]);
  const [item] = items;
  const [scores, ...others] = items.map((one) => scoresIn(one, criteria));
  if (!item || !scores) {
    problems.push(`${label}: missing`);
    return undefined;
  }
  const missing = criteria.filter((key) => scores[key] === undefined);
  const coreMissing = CORE_CRITERIA.filter((key) => missing.includes(key));
  const lacking = coreMissing.length > 0 ? coreMissing : missing;
  problems.push(...lacking.map((key) => `${label}.${key}: ${SCORE_RULE}`));
  if (coreMissing.length > 0) return undefined;
  if (others.some((other) => criteria.some((key) => other[key] !== scores[key]))) {
    problems.push(`${label}: scored more than once`);
    return undefined;
  }
  return { scores, reasoning: item.reasoning, change: item.change, missing };
}

function scoresIn(item: Item, criteria: readonly CriterionKey[]): Scores {
  return Object.fromEntries(
    criteria.flatMap((key) => {
      const score = scoreOf(item[key]);
      return score === undefined ? [] : [[key, score]];
    }),
  );
}

const SCORE = /^\s*(\d{1,2}(?:\.\d+)?)\s*(?:\/\s*10\s*)?$/;

/** `8`, `"8"`, `"8/10"` and full-width digits are scores; nothing is clamped, defaulted or guessed. */
function scoreOf(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? SCORE.exec(value.slice(0, 40).normalize('NFKC'))?.[1] : undefined;
  const score = digits === undefined ? value : Number(digits);
  return typeof score === 'number' && score >= 0 && score <= 10 ? score : undefined;
}
