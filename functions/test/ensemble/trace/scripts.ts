import type { CallPurpose, ProviderCall } from '../../../src/models/model';
import { ModelFault } from '../../../src/models/model-fault';
import fc from '../../support/properties';
import type { Script, ScriptedReply } from '../../support/scripted-models';

/** Behaviour of a model that is called; drawn at random. */
export interface Behaviour {
  readonly fails: (typeof FAULTS)[number] | undefined;
  readonly delayMs: number;
  /** Index of the words that it says. */
  readonly style: number;
}

const FAULTS = ['server', 'not_found', 'context_length', 'rate_limited', 'empty', 'content_filter', 'cut off'] as const;

/** Most calls are answered, some of them late. */
export const behaviours = fc.array(
  fc.record({
    fails: fc.oneof(
      { weight: 6, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom(...FAULTS) },
    ),
    delayMs: fc.oneof(
      { weight: 5, arbitrary: fc.nat(2_000) },
      { weight: 1, arbitrary: fc.constantFrom(80_000, 400_000) },
    ),
    style: fc.nat(5),
  }),
  { minLength: 1, maxLength: 24 },
);

/** The model of a member: a name that no mask finds in a token. */
export function modelIdOf(who: string): string {
  return `zq-${who}-70b`;
}

/** Models that do one of these things after the other; every text they write has a token that names its author. */
export function scriptOf(behaviour: readonly Behaviour[]): Script {
  let calls = 0;
  return (call) => {
    const { fails, delayMs, style } = behaviour[calls % behaviour.length] ?? { fails: undefined, delayMs: 0, style: 0 };
    calls += 1;
    const text = wordsOf(call, { token: `~${whoIs(call)}.${calls}~`, style });
    return { delayMs, ...(fails === undefined ? { text } : failure(fails, text)) };
  };
}

function whoIs({ providerModel }: ProviderCall): string {
  return /^zq-(.+)-70b$/.exec(providerModel)?.[1] ?? providerModel;
}

function failure(fails: NonNullable<Behaviour['fails']>, text: string): ScriptedReply {
  if (fails === 'empty') return { text: ' ' };
  if (fails === 'cut off') return { text, fault: new ModelFault('network') };
  return { text: '', usage: null, fault: new ModelFault(fails) };
}

/** Every form that strategies read, and some that none does. */
const LAST_LINES: readonly string[] = [
  'REVISION: changed; BALLOT: B > A > C',
  'STANCE: concedes',
  'DISSENT: none',
  'CHECK: step 1: it is not TOKEN\nREVISION: changed\nANSWER: a vegetable',
  'FINDING 1: fixed',
  'REVISION: kept',
];

type Words = (token: string, style: number) => string;

function wordsOf(
  { purpose }: ProviderCall,
  { token, style }: { readonly token: string; readonly style: number },
): string {
  const say = WORDS[purpose];
  return say ? say(token, style) : `It is a berry. ${token}`;
}

const isEven = (style: number): boolean => style % 2 === 0;

const WORDS: Partial<Readonly<Record<CallPurpose, Words>>> = {
  cast: (_, style) => (isEven(style) ? JSON.stringify({ lenses: [{ name: 'Botanist', focus: 'Fruits.' }] }) : 'No.'),
  plan: (token, style) => (isEven(style) ? planWords(token, 1 + (style % 3)) : `Just do it. ${token}`),
  draft: (token, style) =>
    style === 4 ? `PANEL: no\nIt is ${token}.` : `It is ${token}.\nANSWER: ${isEven(style) ? 'a berry' : token}`,
  revise: (token, style) => {
    const last = (LAST_LINES[style] ?? '').replace('TOKEN', token);
    return style > 3 ? last : `It is after all ${token}.\n${last}`;
  },
  attack: (token, style) =>
    JSON.stringify({ findings: isEven(style) ? [{ target: 'A', severity: 'major', why: token }] : [] }),
  review: reviewWords,
  analyse: (token, style) =>
    style === 3 ? `I say ${token}` : JSON.stringify({ winner: 'A', order: ['A', 'B'], rationale: token }),
  follow_ups: (token) => JSON.stringify(['Why?', 'Since when?', token]),
};

function planWords(token: string, items: number): string {
  const all = [
    { title: 'One', task: token },
    { title: 'Two', task: 'Cook.' },
  ];
  return JSON.stringify({ items: all.slice(0, items) });
}

function reviewWords(token: string, style: number): string {
  const item = style % 3 === 0 ? 'plan' : style;
  return JSON.stringify({
    verdict: style === 5 ? 'approve' : 'revise',
    defects: [{ item, severity: 'major', defect: token }],
  });
}
