import { crc32 } from 'node:zlib';
import type { CallPurpose, ProviderCall } from '../../models/model';
import { fieldsOf } from '../transport/reply-fields';
import { answerInForm } from './demo-form';
import { lastTurnOf, messageOf, pointsByLabel, topicOf } from './demo-prompt';

/** What a demo model replies: always the same to the same call, and open about not being a real model's. */
export function demoReply(call: ProviderCall): string {
  const reply = REPLIES[call.purpose](call);
  return typeof reply === 'string' ? reply : JSON.stringify(reply);
}

const REPLIES: Readonly<Record<CallPurpose, (call: ProviderCall) => string | object>> = {
  cast: () => ({ lenses: LENSES }),
  plan: (call) => ({ items: isAskedFor(call, 'into one item') ? WORK.slice(0, 1) : WORK, checks: CHECKS }),
  draft: (call) => {
    if (isAskedFor(call, '"PANEL: no"')) return firstDraft(call);
    return essay(call, isAskedFor(call, '"ANSWER: "') ? [FINAL_LINE] : []);
  },
  revise: (call) => essay(call, [TAKEN_OVER, ...endingOf(call)]),
  review: (call) => {
    const parts = openPoints(call).map(([label]) => Number(label.slice('part '.length)));
    const defects = parts.map((item) => ({ item, severity: 'minor', defect: FLAW }));
    return { verdict: parts.length === 0 ? 'approve' : 'revise', defects };
  },
  attack: (call) => {
    const judgement = { severity: 'major', why: FLAW, fix: 'Add the check.' };
    return { findings: openPoints(call).map(([target, quote]) => ({ target, quote, ...judgement })) };
  },
  analyse: analysis,
  answer: (call) => {
    const inForm = answerInForm(call);
    if (inForm !== undefined) return inForm;
    const points = [...new Set(pointsByLabel(call).values())].sort().map((point) => `- ${point}`);
    const answer = `On “${topicOf(call)}”. What holds up, from every side:\n\n${points.join('\n')}`;
    return `${points.length === 0 ? essay(call) : answer}\n\n${NO_MODEL}`;
  },
  follow_ups: (call) => [
    `Can you give an example for “${topicOf(call)}”?`,
    'What would change your mind?',
    'What should I read next?',
  ],
  judge: verdict,
};

const NO_MODEL = '(Scripted demo answer: no language model was called. Set a provider key to get real ones.)';
/** How a revised text goes on; a reader that finds it has nothing left to ask for. */
const TAKEN_OVER = 'Having read what the others say, I have added the checks they make and mine lacked.';
const FINAL_LINE = 'ANSWER: keep what survives the check';
const FLAW = 'It does not say how this could be checked.';
const CHECKS = ['It answers what was asked.', 'It says what remains open.'];
/** Messages that no panel is needed for, and what is said to them. */
const TRIFLES: readonly (readonly [asked: RegExp, reply: string])[] = [
  [/^(?:hi|hello|hey|good (?:morning|evening|day))\b.{0,20}$/i, 'Hello! What can I do for you?'],
  [/^(?:thanks|thank you)\b.{0,40}$/i, 'You are welcome.'],
  [/^(?:give|suggest|write|generate|find)\b.{0,40}\b(?:title|tags?)\b/i, 'A demo'],
];
const LENSES = [
  { name: 'Logician', focus: 'What follows from what, and what does not.' },
  { name: 'Risk analyst', focus: 'What happens if the obvious answer is wrong.' },
  { name: 'Experimenter', focus: 'What could be measured to decide it.' },
];
const WORK = [
  { title: 'The question', task: 'Make the question precise and answer its simplest case.' },
  { title: 'The risks', task: 'Say what could make that answer wrong.' },
  { title: 'The evidence', task: 'Say what would decide it.' },
];
/** What each demo model says of anything, so that an ensemble of them has something to compare. */
const POINTS: Readonly<Record<string, readonly [string, string]>> = {
  'demo-ada': [
    'Settle which sense each word has here, for many disagreements end once two people see that they mean different things.',
    'Then try the simplest case that could prove the obvious answer wrong.',
  ],
  'demo-blaise': [
    'Weigh what a mistake would cost, since where that is little the usual answer will do.',
    'Where it is much, prefer the answer that stays right under the widest range of assumptions.',
  ],
  'demo-curie': [
    'Tell what can be looked up or measured from what is merely usual to say, and say which of the two an answer rests on.',
    'Give each claim the weight of its best source, and name the measurement that would decide it.',
  ],
};

function isAskedFor(call: ProviderCall, words: string): boolean {
  return lastTurnOf(call).includes(words);
}

/** What a revision is asked to end with, known by a word of its task. */
function endingOf(call: ProviderCall): string[] {
  const done = isSettled(call);
  const revision = `REVISION: ${done ? 'kept' : 'changed'}`;
  const endings: Readonly<Record<string, string>> = {
    'BALLOT: ': `${revision}; BALLOT: ${[...pointsByLabel(call).keys()].join(' > ')}`,
    '"CHECK: ': `CHECK: verified\n${FINAL_LINE}`,
    '"REVISION: ': revision,
    '"DISSENT: ': `DISSENT: ${done ? 'none' : 'new'}`,
    '"STANCE: ': 'STANCE: holds',
    '"RESPONSES TO FINDINGS"': 'RESPONSES TO FINDINGS\n1. fixed: the check is now part of the answer',
  };
  return Object.entries(endings)
    .flatMap(([asked, ending]) => (isAskedFor(call, asked) ? [ending] : []))
    .slice(0, 1);
}

/** Whether the texts have taken over the others' points, or are all of a form that leaves no room for them. */
function isSettled(call: ProviderCall): boolean {
  return isAskedFor(call, TAKEN_OVER) || answerInForm(call) !== undefined;
}

/** The points that can still be improved. */
function openPoints(call: ProviderCall): (readonly [label: string, point: string])[] {
  return isSettled(call) ? [] : [...pointsByLabel(call)];
}

/** The draft that says whether it is enough: of greetings, thanks and small chores it is. */
function firstDraft(call: ProviderCall): string {
  const [, reply] = TRIFLES.find(([asked]) => asked.test(messageOf(call))) ?? [];
  return reply ? `PANEL: no\n${answerInForm(call) ?? `${reply}\n\n${NO_MODEL}`}` : `PANEL: yes\n${essay(call)}`;
}

function essay(call: ProviderCall, endings: readonly string[] = []): string {
  const inForm = answerInForm(call);
  if (inForm !== undefined) return [inForm, ...endings.filter((line) => line !== TAKEN_OVER)].join('\n\n');
  const [first, second] = POINTS[call.providerModel] ?? ['Say what is known.', 'Say what is not, and how to find out.'];
  return [`On “${topicOf(call)}”.`, `1. ${first}\n2. ${second}`, ...endings].join('\n\n');
}

/** The parts that the schema asks for; those without a row here are empty. */
function analysis(call: ProviderCall): object {
  const texts = [...pointsByLabel(call)];
  const order = texts.toSorted(([, a], [, b]) => b.length - a.length).map(([label]) => label);
  const attributed = texts.map(([label, point]) => `${label}: ${point}`);
  const parts: Readonly<Record<string, unknown>> = {
    winner: order[0] ?? '',
    order,
    agreements: ['The question should be made precise before it is answered.'],
    unique: attributed,
    provenance: attributed,
    decisive: ['Which side names a check that could prove it wrong.'],
    fixed: ['The missing check was added.'],
    residual: ['The check has not been made yet.'],
    met: CHECKS.slice(0, 1),
    rationale: 'It names a check that could prove it wrong; what the others add is worth keeping.',
  };
  const asked = Object.keys(fieldsOf(call.outputSchema?.schema?.['properties']));
  return Object.fromEntries(asked.map((key) => [key, parts[key] ?? []]));
}

interface Material {
  readonly responses?: readonly { readonly label: string; readonly response: string }[];
}

/** Scores in half points for every criterion of the schema, from a response's length and the taste of this judge. */
function verdict(call: ProviderCall): object {
  const { items } = fieldsOf(call.outputSchema?.schema?.['properties']);
  const keys = Object.keys(fieldsOf(fieldsOf(fieldsOf(items)['items'])['properties']));
  const lines = lastTurnOf(call).split('\n');
  const { responses = [] }: Material = JSON.parse(lines.find((line) => line.startsWith('{"prompt":')) ?? '{}');
  const verdicts = responses.map(({ label, response }) => {
    const words = response.split(' ').length;
    const base = 5 + Math.min(6, Math.floor(words / 10)) / 2;
    const scores = keys.map((key) => [key, base + (crc32(`${call.providerModel}\n${key}\n${response}`) % 5) / 2]);
    const reasoning = `Its length in words is ${words}. ${NO_MODEL}`;
    return { ...Object.fromEntries(scores), label, reasoning, change: '' };
  });
  return { expected: NO_MODEL, items: verdicts };
}
