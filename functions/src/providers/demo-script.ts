import type { CallPurpose, ProviderCall } from '../models/model';
import { demoVerdict } from './demo-judge';
import type { Script } from './scripted';

/** How a demo model argues, so that an ensemble of them has something to compare. */
interface Persona {
  readonly opening: string;
  readonly points: readonly [string, string];
  readonly closing: string;
}

const PERSONAS: Readonly<Record<string, Persona>> = {
  'demo-ada': {
    opening: 'Step by step:',
    points: [
      'First settle what exactly is being asked and which terms are used in which sense.',
      'Then take the simplest case that could prove the obvious answer wrong, and check it.',
    ],
    closing: 'What survives that check is the answer to keep.',
  },
  'demo-blaise': {
    opening: 'Looking at it from the risks:',
    points: [
      'List what would follow if the first impression were mistaken, and how costly that would be.',
      'Prefer the reading that stays right under the widest range of assumptions.',
    ],
    closing: 'Where doubt remains, say so plainly rather than round it off.',
  },
  'demo-curie': {
    opening: 'Starting from evidence:',
    points: [
      'Separate what can be observed from what is merely usual to say.',
      'Give each claim the weight of its best source, and name the one measurement that would decide it.',
    ],
    closing: 'The practical answer is the one that measurement would support.',
  },
};
const ANYONE: Persona = {
  opening: 'In short:',
  points: ['Say what is known.', 'Say what is not, and how to find out.'],
  closing: 'Then decide.',
};

const TOPIC_CHARACTERS_MAX = 120;

/** The built-in `demo-*` models: believable, deterministic, and open about not being real ones. */
export const demoScript: Script = (call) => ({ text: PARTS[call.purpose](call) });

const PARTS: Readonly<Record<CallPurpose, (call: ProviderCall) => string>> = {
  draft: (call) => essay(call),
  revise: (call) => `${essay(call)} ${TAKEN_OVER}\n\n${trailer(call)}`,
  analyse: (call) => JSON.stringify(analysis(candidatesOf(call))),
  answer: (call) =>
    `${synthesis(call)}\n\n(Scripted demo answer: no language model was called. Set a provider key to get real ones.)`,
  follow_ups: (call) =>
    JSON.stringify([
      `Can you give an example for “${topic(call)}”?`,
      'What would change your mind?',
      'What should I read next?',
    ]),
  judge: demoVerdict,
};

/** How a revised draft ends; a reviser that finds it in its own draft has nothing left to change. */
const TAKEN_OVER = 'Having read the other drafts, I have added the checks they make and mine lacked.';

function essay(call: ProviderCall): string {
  const { opening, points, closing } = PERSONAS[call.providerModel] ?? ANYONE;
  return `On “${topic(call)}”. ${opening}\n\n1. ${points[0]}\n2. ${points[1]}\n\n${closing}`;
}

/** The final answer: alone the model's own, as arbiter the first point of every candidate, in an order of its own. */
function synthesis(call: ProviderCall): string {
  const points = candidatesOf(call)
    .flatMap(({ point }) => (point === undefined ? [] : [`- ${point}`]))
    .sort();
  if (points.length === 0) return essay(call);
  return `On “${topic(call)}”. What holds up, from every side:\n\n${points.join('\n')}\n\nKeep what survives all of these.`;
}

/** A fenced text of the prompt and its first numbered point. */
interface DemoCandidate {
  readonly label: string;
  readonly text: string;
  readonly point: string | undefined;
}

function analysis(candidates: readonly DemoCandidate[]): object {
  const [winner, ...others] = [...candidates].sort((a, b) => b.text.length - a.text.length);
  return {
    winner: winner?.label ?? null,
    order: [winner, ...others].flatMap((candidate) => candidate?.label ?? []),
    agreements: ['The question should be made precise before it is answered.'],
    conflicts: [],
    unique: others.flatMap(({ label, point }) => (point === undefined ? [] : [`Candidate ${label}: ${point}`])),
    dissent: [],
    rationale: `Candidate ${winner?.label ?? 'A'} says the most; the others add checks worth keeping.`,
  };
}

function trailer(call: ProviderCall): string {
  const labels = candidatesOf(call).map(({ label }) => label);
  const own = /^<<[0-9a-f]+ yours>>\n([\s\S]*?)\n<<[0-9a-f]+ end yours>>$/m.exec(lastTurn(call))?.[1] ?? '';
  const verdict = own.includes(TAKEN_OVER) ? 'kept' : 'changed';
  return labels.length === 0 ? `REVISION: ${verdict}` : `REVISION: ${verdict}; BALLOT: ${labels.join(' > ')}`;
}

function candidatesOf(call: ProviderCall): DemoCandidate[] {
  const fences = /^<<([0-9a-f]+) ([A-Z]{1,2})>>\n([\s\S]*?)\n<<\1 end \2>>$/gm;
  return [...lastTurn(call).matchAll(fences)].map(([, , label = '', text = '']) => ({
    label,
    text,
    point: /^1\. (.*)$/m.exec(text)?.[1],
  }));
}

/** What the user wrote: prompts put their task behind a rule. */
function topic(call: ProviderCall): string {
  const text = (lastTurn(call).split('\n\n---\n\n', 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return text.length > TOPIC_CHARACTERS_MAX ? `${text.slice(0, TOPIC_CHARACTERS_MAX - 1)}…` : text;
}

function lastTurn({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}
