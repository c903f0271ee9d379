import type { CallPurpose, ProviderCall } from '../models/model';
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
  revise: (call) =>
    `${essay(call)} Having read the other drafts, I have added the checks they make and mine lacked.\n\n${trailer(call)}`,
  analyse: (call) => JSON.stringify(analysis(call)),
  answer: (call) =>
    `${essay(call)}\n\n(Scripted demo answer: no language model was called. Set a provider key to get real ones.)`,
  follow_ups: (call) =>
    JSON.stringify([
      `Can you give an example for “${topic(call)}”?`,
      'What would change your mind?',
      'What should I read next?',
    ]),
};

function essay(call: ProviderCall): string {
  const { opening, points, closing } = PERSONAS[call.providerModel] ?? ANYONE;
  return `On “${topic(call)}”. ${opening}\n\n1. ${points[0]}\n2. ${points[1]}\n\n${closing}`;
}

function analysis(call: ProviderCall): object {
  const labels = candidateLabels(call);
  const [winner] = labels;
  return {
    winner: winner ?? null,
    order: labels,
    agreements: ['The question should be made precise before it is answered.'],
    conflicts: [],
    unique: labels.slice(1, 2).map((label) => `Candidate ${label} weighs what a mistake would cost.`),
    dissent: [],
    rationale: `Candidate ${winner ?? 'A'} is the most complete; the others add checks worth keeping.`,
  };
}

function trailer(call: ProviderCall): string {
  const labels = candidateLabels(call);
  return labels.length === 0 ? 'REVISION: changed' : `REVISION: changed; BALLOT: ${labels.join(' > ')}`;
}

function candidateLabels(call: ProviderCall): string[] {
  return [...lastTurn(call).matchAll(/^<<[0-9a-f]+ end ([A-Z]{1,2})>>$/gm)].map(([, label]) => label ?? '');
}

/** What the user wrote: prompts put their task behind a rule. */
function topic(call: ProviderCall): string {
  const text = (lastTurn(call).split('\n\n---\n\n', 1)[0] ?? '').replace(/\s+/g, ' ').trim();
  return text.length > TOPIC_CHARACTERS_MAX ? `${text.slice(0, TOPIC_CHARACTERS_MAX - 1)}…` : text;
}

function lastTurn({ prompt }: ProviderCall): string {
  return prompt.turns.at(-1)?.text ?? '';
}
