import type { CallPurpose, ProviderCall } from '../models/model';
import { demoVerdict } from './demo-judge';
import { demoEssay } from './demo-personas';
import { ownTextOf, taskOf, textsOf, topicOf } from './demo-reading';
import type { Script } from './scripted';

/** The built-in `demo-*` models: believable, deterministic, and open about not being real ones. */
export const demoScript: Script = (call) => ({ text: PARTS[call.purpose](call) });

const PARTS: Readonly<Record<CallPurpose, (call: ProviderCall) => string>> = {
  cast: () => JSON.stringify({ lenses: LENSES }),
  plan: (call) => JSON.stringify(plan(call)),
  draft: (call) => `${essay(call)}${taskOf(call).includes('"ANSWER: "') ? `\n\n${FINAL_LINE}` : ''}`,
  revise: (call) => `${essay(call)} ${TAKEN_OVER}${ending(call)}`,
  review: (call) => JSON.stringify(review(call)),
  attack: (call) => JSON.stringify({ findings: findings(call) }),
  analyse: (call) => JSON.stringify(analysis(call)),
  answer: (call) =>
    `${synthesis(call)}\n\n(Scripted demo answer: no language model was called. Set a provider key to get real ones.)`,
  follow_ups: (call) =>
    JSON.stringify([
      `Can you give an example for “${topicOf(call)}”?`,
      'What would change your mind?',
      'What should I read next?',
    ]),
  judge: demoVerdict,
};

/** How a revised text ends; a reader that finds it has nothing left to ask for. */
const TAKEN_OVER = 'Having read what the others say, I have added the checks they make and mine lacked.';
const FINAL_LINE = 'ANSWER: keep what survives the check';
const LENSES = [
  { name: 'Logician', focus: 'What follows from what, and what does not.' },
  { name: 'Risk analyst', focus: 'What happens if the obvious answer is wrong.' },
  { name: 'Experimenter', focus: 'What could be measured to decide it.' },
];

function essay(call: ProviderCall): string {
  return demoEssay(call.providerModel, topicOf(call));
}

/** What each kind of revision is asked to end with, known by a word of its task. */
const ENDINGS: readonly { readonly asked: string; readonly ending: (call: ProviderCall) => string }[] = [
  { asked: 'BALLOT:', ending: (call) => `REVISION: ${verdict(call)}; BALLOT: ${labels(call).join(' > ')}` },
  { asked: 'REVISION:', ending: (call) => `REVISION: ${verdict(call)}` },
  { asked: 'DISSENT:', ending: (call) => `DISSENT: ${settled(call) ? 'none' : 'new'}` },
  { asked: 'STANCE:', ending: () => 'STANCE: holds' },
  { asked: 'CHECK:', ending: () => `CHECK: verified\n${FINAL_LINE}` },
  {
    asked: 'RESPONSES TO FINDINGS',
    ending: () => 'RESPONSES TO FINDINGS\n1. fixed: the check is now part of the answer',
  },
];

function ending(call: ProviderCall): string {
  const task = taskOf(call);
  const match = ENDINGS.find(({ asked }) => task.includes(asked));
  return match ? `\n\n${match.ending(call)}` : '';
}

function verdict(call: ProviderCall): string {
  return settled(call) ? 'kept' : 'changed';
}

/** Whether the reader's own text, or where it has none everybody's, has taken over what the others said. */
function settled(call: ProviderCall): boolean {
  const own = ownTextOf(call);
  const texts = own === '' ? textsOf(call).map(({ text }) => text) : [own];
  return texts.every((text) => text.includes(TAKEN_OVER));
}

function labels(call: ProviderCall): string[] {
  return textsOf(call).map(({ label }) => label);
}

function plan(call: ProviderCall): object {
  const items = [
    { title: 'The question', task: 'Make the question precise and answer its simplest case.' },
    { title: 'The risks', task: 'Say what could make that answer wrong.' },
    { title: 'The evidence', task: 'Say what would decide it.' },
  ];
  const max = Number(/at most (\d+) items/.exec(taskOf(call))?.[1] ?? 1);
  return { items: items.slice(0, max), checks: ['It answers what was asked.', 'It says what remains open.'] };
}

function review(call: ProviderCall): object {
  if (settled(call)) return { verdict: 'approve', defects: [] };
  const defects = textsOf(call)
    .filter(({ text }) => !text.includes(TAKEN_OVER))
    .map(({ label }) => ({
      item: Number(label.replace('part ', '')),
      severity: 'minor',
      defect: 'The checks the other parts make are missing.',
    }));
  return { verdict: 'revise', defects };
}

function findings(call: ProviderCall): object[] {
  return textsOf(call)
    .filter(({ text }) => !text.includes(TAKEN_OVER))
    .map(({ label, point = '' }) => ({
      target: label,
      quote: point,
      severity: 'major',
      why: 'It does not say how this could be checked.',
      fix: 'Add the check.',
    }));
}

/** The final answer: alone the model's own, as arbiter the first point of every text, in an order of its own. */
function synthesis(call: ProviderCall): string {
  const points = [...new Set(textsOf(call).flatMap(({ point }) => (point === undefined ? [] : [`- ${point}`])))].sort();
  if (points.length === 0) return essay(call);
  return `On “${topicOf(call)}”. What holds up, from every side:\n\n${points.join('\n')}\n\nKeep what survives all of these.`;
}

function rationale(best: string, others: number): string {
  const subject = /^[A-Z]/.test(best) ? `Candidate ${best}` : best.replace(/^p/, 'P');
  return others === 0
    ? `${subject} names a check that could prove it wrong.`
    : `${subject} says the most; the others add checks worth keeping.`;
}

function analysis(call: ProviderCall): object {
  const [best, ...others] = textsOf(call).sort((a, b) => b.text.length - a.text.length || (a.text < b.text ? -1 : 1));
  const lists: Readonly<Record<string, readonly string[]>> = {
    agreements: ['The question should be made precise before it is answered.'],
    unique: others.flatMap(({ label, point }) => (point === undefined ? [] : [`Candidate ${label}: ${point}`])),
    provenance: textsOf(call).flatMap(({ label, point }) => (point === undefined ? [] : [`${label}: ${point}`])),
    decisive: ['Which side names a check that could prove it wrong.'],
    fixed: ['The missing check was added.'],
    residual: ['The check has not been made yet.'],
    met: ['It answers what was asked.'],
  };
  const asked = [...taskOf(call).matchAll(/"(\w+)": /g)].map(([, key = '']) => key);
  return {
    ...Object.fromEntries(asked.filter((key) => key in lists).map((key) => [key, lists[key]])),
    ...(asked.includes('winner') && {
      winner: best?.label ?? null,
      order: [best, ...others].map((text) => text?.label),
    }),
    rationale: rationale(best?.label ?? 'A', others.length),
  };
}
