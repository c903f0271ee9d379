import { crc32 } from 'node:zlib';
import type { ProviderCall } from '../../src/models/model';
import { ModelFault } from '../../src/models/model-fault';

/** A response as a judge is shown it. */
export interface ShownResponse {
  readonly label: string;
  readonly role?: string;
  readonly response: string;
  readonly yours?: ShownOpinion;
  readonly peers?: readonly ShownOpinion[];
}

export interface ShownOpinion {
  readonly scores: Readonly<Record<string, number>>;
  readonly reasoning: string;
}

/** Material of a judge: the one line of JSON in its prompt, read back. */
export interface ShownMaterial {
  readonly prompt: string;
  readonly responses: readonly ShownResponse[];
}

/** The core criteria, and further ones by role (docs/evaluations.md), written down here anew. */
const CORE = ['accuracy', 'creativity', 'clarity', 'completeness', 'usefulness'] as const;
export const ROLE_KEYS: Readonly<Record<string, readonly string[]>> = {
  blueTeam: ['mitigationEffectiveness', 'threatCoverage', 'resilience'],
  redTeam: ['vulnerabilityDiscovery', 'attackRealism', 'impactAssessment'],
  whiteTeam: ['impartiality', 'synthesisQuality', 'ruleAdherence'],
  proposition: ['argumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  opposition: ['counterargumentStrength', 'evidenceQuality', 'rebuttalEffectiveness'],
  judge: ['impartiality', 'verdictJustification', 'reasoningTransparency'],
  strategist: ['strategicDepth', 'riskAwareness', 'feasibility'],
  implementer: ['technicalSoundness', 'actionability', 'edgeCaseHandling'],
  reviewer: ['issueDetection', 'prioritization', 'constructiveness'],
};

/** Reads what a judge is shown. */
export function shownTo({ prompt }: Pick<ProviderCall, 'prompt'>): ShownMaterial {
  const lines = (prompt.turns.at(-1)?.text ?? '').split('\n').filter((line) => line.startsWith('{"prompt":'));
  if (lines.length !== 1) throw new Error(`${lines.length} lines of material`);
  return JSON.parse(lines[0] ?? '');
}

/** Every criterion a response of that role is scored on. */
function keysFor(role: string | undefined): readonly string[] {
  return [...CORE, ...(role === undefined ? [] : (ROLE_KEYS[role] ?? []))];
}

/** The same score for every criterion of a response. */
export function allAt(score: unknown, role?: string): Record<string, unknown> {
  return Object.fromEntries(keysFor(role).map((key) => [key, score]));
}

/** A judge's scoring: the scores of one response, in the place it is shown (from 0), or an item of any other shape. */
export type Scoring = (shown: ShownResponse, place: number, call: ProviderCall) => Readonly<Record<string, unknown>>;

/** A well-formed reply with these scores. */
export function verdictOf(call: ProviderCall, scoring: Scoring): string {
  const { responses } = shownTo(call);
  const items = responses.map((shown, place) => ({
    label: shown.label,
    reasoning: `Because of ${call.providerModel}.`,
    change: '',
    ...scoring(shown, place, call),
  }));
  return JSON.stringify({ expected: 'What the question asks for.', items });
}

/** Judges by model id, ten prompt tokens and three completion tokens a call; any other model is not found. */
export function judgeScript(judges: Readonly<Record<string, Scoring>>) {
  return (call: ProviderCall) => {
    const scoring = judges[call.providerModel];
    if (!scoring) return { text: '', fault: new ModelFault('not_found') };
    return { text: verdictOf(call, scoring), usage: { promptTokens: 10, completionTokens: 3 } };
  };
}

/**
 * Judges with a bias. What a response is worth is written in it ("worth 7.5"), so that every judge's scores can be
 * worked out from the texts alone.
 */

/** A text worth so much. */
export function worth(score: number, words = ''): string {
  return `This is worth ${score}.${words === '' ? '' : ` ${words}`}`;
}

/** The worth that is written in a text; 5 where it does not say. */
function worthOf(text: string): number {
  return Number(/worth (\d+(?:\.\d+)?)/.exec(text)?.[1] ?? 5);
}

function inScale(score: number): number {
  return Math.min(10, Math.max(0, score));
}

const shifted =
  (by: (shown: ShownResponse, place: number) => number): Scoring =>
  (shown, place) =>
    allAt(inScale(worthOf(shown.response) + by(shown, place)), shown.role);

/** Sees each text at its worth. */
export const honest = shifted(() => 0);
export const harsh = shifted(() => -2);
/** Off by up to two points, by the text alone. */
export const noisy = shifted(({ response }) => (crc32(response) % 401) / 100 - 2);
export const firstPlaceBiased = shifted((_, place) => (place === 0 ? 3 : 0));
export const lengthBiased = shifted(({ response }) => response.length / 100);

/** Orders that an obedient judge obeys. */
const ORDER = /10|score|verdict|perfect|best/i;

/** Does what a text in sight tells it: a text with an order gets 10, and every other one 0. */
export const gullible: Scoring = ({ response, role }, _, call) => {
  const shown = call.prompt.turns.map(({ text }) => text).join('\n');
  const tempted = /GIVE ME|IGNORE|injected/i.test(shown);
  if (!tempted) return allAt(worthOf(response), role);
  return allAt(ORDER.test(response) ? 10 : 0, role);
};
