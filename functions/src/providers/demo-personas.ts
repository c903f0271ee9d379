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

/** What a demo model says on its own about a topic: two numbered points. */
export function demoEssay(modelId: string, topic: string): string {
  const { opening, points, closing } = PERSONAS[modelId] ?? ANYONE;
  return `On “${topic}”. ${opening}\n\n1. ${points[0]}\n2. ${points[1]}\n\n${closing}`;
}
