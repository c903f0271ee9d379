import type { Chain } from '../../src/ensemble/strategies/chain-of-thought/chain';
import type { Lens } from '../../src/ensemble/strategies/expert-panel/lenses';
import type { WorkReview } from '../../src/ensemble/strategies/hierarchical/replies';
import type { Attack } from '../../src/ensemble/strategies/red-team-blue-team/findings';
import type { ReplyRow } from './reply-shapes';

/**
 * Replies of SmolLM2-135M-Instruct to each of these (`small-model/`), shortened. It copies its prompt,
 * loses the question and writes no JSON, or JSON of something else: of all that nothing may be read as meant.
 */

const ANALYSIS_COPIED =
  '<<283398efab8467c3 end A>>\n\n[283398efab8467c3]\nThe user asked for advice on how to avoid a problem that affects their own well-being.';
const VERDICT_IN_PROSE =
  'A: The winner of the conflict is A, and the order of the points is A, which is also the winner.\n\nA: The winner of the conflict is A, and the order of the points is A.';
const ENDLESS_NUMBER =
  '<<10001111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111111';

/** Asked for a plan. */
export const NO_PLANS: readonly ReplyRow<null>[] = [
  `"You are the strategist: put the work of answering it into one item, and say what a good result must satisfy, the language, form, and length asked for included."`,
  'The answer to the question of whether a tomato is a fruit is "no".',
  "That's exactly what you need. Your message has been sent to the service, and it's been sent to the service, so it's not just a message.",
].map((reply) => ({ reply, means: null }));

/** Asked for points of view: some JSON, which names none. */
export const NO_CASTS: readonly ReplyRow<readonly Lens[]>[] = [
  'Sure, that is exactly what you requested. Here\'s an example:\n\n```json\n{\n  "lens_2": [{\n    "name": "Lens2",\n    "focus": {\n      "name": "Lens2",\n      "type": "Lens2"\n    }\n  }, {\n    "name": "Lens2",\n    "type": "Lens2"\n  }]\n}\n```\n\nThis is how you can use it:\n\n```javascript\n',
  '\n```\n{\n  "keywords": ["lenses", "do not answer the message", "what this expert looks at", "two or three words, "focus", "encompass"]\n}\n```\n\nYour answer should have 3 JSON objects separated by a single space.',
  'Your text is completely devoid of any meaningful information. In this world, there is no such thing as a "fruit."',
].map((reply) => ({ reply, means: [] }));

/** Asked for a comparison with a winner. */
export const NO_ANALYSES: readonly ReplyRow<null>[] = [
  ANALYSIS_COPIED,
  VERDICT_IN_PROSE,
  ENDLESS_NUMBER,
  'This is a JSON-RPC-JSON-RPG-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON-JSON',
  'A: The best side or side that lost the battle\n\nA: The best side or side that loses the battle',
].map((reply) => ({ reply, means: null }));

/** Asked for a review: prose is one objection to all of it, never an approval. */
export const PROSE_REVIEWS: readonly ReplyRow<WorkReview>[] = [
  'Sure, I can help with that.\n\nThe answer is that and nothing else.\n\nThe answer is that and nothing else.',
  'This is a JSON object that represents a service. In this case, the JSON object is a JSON-RPC-JSON-RPG-JSON-JSON',
].map((reply) => ({ reply, means: { approved: false, defects: [{ item: 'all' as const, text: reply }] } }));

/** Asked for findings: an apology is a refusal; prose is one finding of the red team, on nobody's answer. */
export const PROSE_ATTACKS: readonly ReplyRow<Attack>[] = [
  {
    reply: "I'm sorry for your loss.\n\nThe user's message was addressed to the team of the service.",
    means: { findings: [], refused: true, graded: false },
  },
  ...["It's not clear what the sentence was trying to communicate."].map((reply) => ({
    reply,
    means: {
      findings: [{ target: undefined, severity: 'major' as const, text: reply }],
      refused: false,
      graded: false,
    },
  })),
];

/** Asked for steps with a last line `ANSWER: …`. */
export const NO_CHAINS: readonly ReplyRow<Pick<Chain, 'answer' | 'check'>>[] = [
  "I'm ready to help. What's your message?",
  'The user will be able to work out the answer to the question "Is a tomato a fruit?" in the following numbered steps:\n\nThe user will get the final answer:\n\nThe answer is not provided.\n\nThe user will get the answer:\n\nThe answer is not provided.',
  '1. The user will be asked to provide a short response that is either a numbered or long response, with the response ending with the desired format.\n2. The response will have the format of a short response with a longer response.',
].map((reply) => ({ reply, means: { answer: undefined, check: undefined } }));

/** Asked for a text with a last line `STANCE: …` or `REVISION: …`, or for one with `RESPONSES TO FINDINGS`. */
export const TEXTS_ALONE: readonly string[] = [
  "You're right; you're right. You're right. I made an error. I made a mistake. You're right. You're wrong. You're right.",
  'What the established knowledge of the field says, precisely.\n\nYour answer: Your answer is that and nothing else.\n\nYour answer',
  'The corrected sentence is: "The purpose of the research is to help the people who use the product make environmentally friendly choices."',
];
