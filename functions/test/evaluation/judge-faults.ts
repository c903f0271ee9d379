import { type Reply, sendStatus } from '../support/fake-upstream';
import { honest, verdictOf } from '../support/judges';
import { UPSTREAM_WORDS } from '../support/scripted-models';
import type { JudgeCall, JudgeReply } from './judge-upstream';

/** A verdict by an honest judge. */
export const good = (call: JudgeCall): string => verdictOf(call, honest);

/** A good verdict with its items changed. */
export function changed(call: JudgeCall, change: (items: Record<string, unknown>[]) => unknown): string {
  return JSON.stringify({ items: change(JSON.parse(good(call)).items) });
}

/** A good verdict with some fields of its first item changed. */
export const first = (call: JudgeCall, fields: object): string =>
  changed(call, ([one, ...rest]) => [{ ...one, ...fields }, ...rest]);

/** A judge that always does the same wrong, or at least odd, thing. */
interface Fault {
  readonly fault: string;
  readonly reply: (call: JudgeCall) => JudgeReply;
  /** What the judge's overall scores of the two responses come to; undefined: not scored. */
  readonly scores: readonly [number | undefined, number | undefined];
  /** Calls to it. */
  readonly calls: number;
  /** The same where its provider serves the other judge meanwhile. */
  readonly callsWhileServing?: number;
  readonly cause?: string;
}

/** A judge that can be read all the same: the scores are what the responses are worth. */
function legible(fault: string, reply: Fault['reply']): Fault {
  return { fault, reply, scores: [8, 4], calls: 1 };
}

/** A judge that is without scores after so many calls, for the cause that is told. */
function mute(fault: string, reply: Fault['reply'], calls = 2, cause?: string): Fault {
  return { fault, reply, scores: [undefined, undefined], calls, ...(cause !== undefined && { cause }) };
}

const UNUSABLE = 'unusable output';
const refused = (status: number) => (): Reply => sendStatus(status, { error: { message: UPSTREAM_WORDS } });

/** Two responses worth 8 and 4 are judged. */
export const ALWAYS: readonly Fault[] = [
  mute('prose', () => 'The first one is an 8, the other a 4.', 2, UNUSABLE),
  legible('a fenced verdict', (call) => `Sure!\n\`\`\`json\n${good(call)}\n\`\`\``),
  legible('a thinking preamble', (call) => `<think>Is {this} an 8?</think>${good(call)}`),
  mute('a verdict cut off', (call) => good(call).slice(0, -20), 2, UNUSABLE),
  legible('two verdicts, of which the last counts', (call) => `${first(call, { accuracy: 1 })}\n${good(call)}`),
  mute('NaN', (call) => good(call).replace(/"accuracy":\d/, '"accuracy":NaN')),
  legible('scores as texts', (call) => good(call).replace(/:(\d)/g, ':"$1/10"')),
  mute('nothing', () => '{"items":[]}'),
  legible('an extra label', (call) => changed(call, (items) => [...items, { ...items[0], label: 'ZZZZ' }])),
  legible('a repeated label with the same scores', (call) => changed(call, (items) => [...items, items[0]])),
  mute('another kind of object', () => '{"error":"overloaded"}'),
  mute('401', refused(401), 1, 'not available'),
  mute('404', refused(404), 1, 'not found'),
  { ...mute('429 without a wait', refused(429), 1, 'rate limited'), callsWhileServing: 2 },
  mute('500, twice', refused(500), 2, 'not available'),
  mute('a reset, twice', () => (exchange) => exchange.cut(), 2, 'not reachable'),
  mute('400, whatever it is asked', refused(400), 2, 'not available'),
];

/** Faults of one item: the other stands. Which of the two is shown first is the layout's business. */
export const SPOILT: readonly { fault: string; change: object | null }[] = [
  { fault: '98989', change: { accuracy: 98989 } },
  { fault: 'a negative score', change: { clarity: -1 } },
  { fault: 'a boolean', change: { usefulness: true } },
  { fault: 'a missing criterion', change: { creativity: undefined } },
  { fault: 'a missing label', change: null },
];
