import { sendStatus } from '../support/fake-upstream';
import type { WireCall, WireReply } from '../support/judge-upstream';
import { verdictOf } from '../support/judges';
import { honest } from '../support/personas';
import { UPSTREAM_WORDS } from '../support/recorded-models';

/** A verdict by an honest judge. */
export const good = (call: WireCall): string => verdictOf({ ...asCall(call) }, honest);

function asCall({ model, prompt }: WireCall): Parameters<typeof verdictOf>[0] {
  const signal = new AbortController().signal;
  return { providerModel: model, prompt, sampling: {}, purpose: 'judge', signal };
}

/** A good verdict with its items changed. */
export function changed(call: WireCall, change: (items: Record<string, unknown>[]) => unknown): string {
  return JSON.stringify({ items: change(JSON.parse(good(call)).items) });
}

/** A good verdict with some fields of its first item changed. */
export const first = (call: WireCall, fields: object): string =>
  changed(call, ([one, ...rest]) => [{ ...one, ...fields }, ...rest]);

/** A judge that always does the same wrong, or at least odd, thing. */
interface Fault {
  readonly fault: string;
  readonly reply: (call: WireCall) => WireReply;
  /** What the judge's overall scores of the two responses come to; undefined: not scored. */
  readonly scores: readonly [number | undefined, number | undefined];
  /** Calls to it. */
  readonly calls: number;
  readonly cause?: string;
}

/** Two responses worth 8 and 4 are judged. */
export const ALWAYS: readonly Fault[] = [
  {
    fault: 'prose',
    reply: () => 'The first one is an 8, the other a 4.',
    scores: [undefined, undefined],
    calls: 2,
    cause: 'unusable output',
  },
  { fault: 'a fenced verdict', reply: (call) => `Sure!\n\`\`\`json\n${good(call)}\n\`\`\``, scores: [8, 4], calls: 1 },
  {
    fault: 'a thinking preamble',
    reply: (call) => `<think>Is {this} an 8?</think>${good(call)}`,
    scores: [8, 4],
    calls: 1,
  },
  {
    fault: 'a verdict cut off',
    reply: (call) => good(call).slice(0, -20),
    scores: [undefined, undefined],
    calls: 2,
    cause: 'unusable output',
  },
  {
    fault: 'two verdicts',
    reply: (call) => `${good(call)}\n${first(call, { accuracy: 1 })}`,
    scores: [undefined, undefined],
    calls: 2,
    cause: 'unusable output',
  },
  {
    fault: 'NaN',
    reply: (call) => good(call).replace(/"accuracy":\d/, '"accuracy":NaN'),
    scores: [undefined, undefined],
    calls: 2,
  },
  {
    fault: 'scores as texts',
    reply: (call) => good(call).replace(/:(\d)/g, ':"$1/10"'),
    scores: [8, 4],
    calls: 1,
  },
  { fault: 'nothing', reply: () => '{"items":[]}', scores: [undefined, undefined], calls: 2 },
  {
    fault: 'an extra label',
    reply: (call) => changed(call, (items) => [...items, { ...items[0], label: 'ZZZZ' }]),
    scores: [8, 4],
    calls: 1,
  },
  {
    fault: 'a repeated label with the same scores',
    reply: (call) => changed(call, (items) => [...items, items[0]]),
    scores: [8, 4],
    calls: 1,
  },
  { fault: 'another kind of object', reply: () => '{"error":"overloaded"}', scores: [undefined, undefined], calls: 2 },
  {
    fault: '401',
    reply: () => sendStatus(401, { error: { message: UPSTREAM_WORDS } }),
    scores: [undefined, undefined],
    calls: 1,
    cause: 'not available',
  },
  {
    fault: '404',
    reply: () => sendStatus(404, { error: { message: UPSTREAM_WORDS } }),
    scores: [undefined, undefined],
    calls: 1,
    cause: 'not found',
  },
  {
    fault: '429 without a wait',
    reply: () => sendStatus(429, { error: { message: UPSTREAM_WORDS } }),
    scores: [undefined, undefined],
    calls: 1,
    cause: 'rate limited',
  },
  {
    fault: '500, twice',
    reply: () => sendStatus(500, { error: { message: UPSTREAM_WORDS } }),
    scores: [undefined, undefined],
    calls: 2,
    cause: 'not available',
  },
  {
    fault: 'a reset, twice',
    reply: () => (exchange) => exchange.cut(),
    scores: [undefined, undefined],
    calls: 2,
    cause: 'not reachable',
  },
  {
    fault: '400, whatever it is asked',
    reply: () => sendStatus(400, { error: { message: UPSTREAM_WORDS } }),
    scores: [undefined, undefined],
    calls: 2,
    cause: 'not available',
  },
];

/** Faults of one item: the other stands. Which of the two is shown first is the layout's business. */
export const SPOILT: readonly { fault: string; change: object | null }[] = [
  { fault: '98989', change: { accuracy: 98989 } },
  { fault: 'a negative score', change: { clarity: -1 } },
  { fault: 'a boolean', change: { usefulness: true } },
  { fault: 'a missing criterion', change: { creativity: undefined } },
  { fault: 'a missing label', change: null },
];
