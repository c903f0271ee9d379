import type { AnalysisForm } from '../analysis';
import type { Labelled } from '../anonymise';
import type { Block, Conversation, PromptSheet } from '../sheet';
import { CHANGE_RULE, DATA_RULE, taskSheet } from './task';

/** A point of view to answer from. */
export interface Lens {
  readonly name: string;
  /** What to look at, in one sentence. */
  readonly focus: string;
}

/** Who is cast when the arbiter names nobody: one lens for each of 16 experts. */
export const STANDARD_LENSES: readonly Lens[] = [
  { name: 'Domain expert', focus: 'What the established knowledge of the field says, precisely.' },
  { name: 'Sceptic', focus: 'Which claims do not hold up, and what evidence is missing.' },
  { name: 'Practitioner', focus: 'What works in practice, and what it takes.' },
  { name: 'User advocate', focus: 'What the person asking really needs, and what could mislead them.' },
  { name: 'Risk analyst', focus: 'What can go wrong, how likely and how costly that is.' },
  { name: 'Economist', focus: 'Costs, incentives and trade-offs.' },
  { name: 'Historian', focus: 'How comparable cases went, and what changed since.' },
  { name: 'Systems thinker', focus: 'Causes, feedback and side effects beyond the immediate question.' },
  { name: 'Statistician', focus: 'Numbers, base rates and uncertainty.' },
  { name: 'Ethicist', focus: 'Who is affected, and what is fair to them.' },
  { name: 'Teacher', focus: 'What has to be understood first, explained simply.' },
  { name: 'Engineer', focus: 'How it is built, tested and kept running.' },
  { name: 'Legal reader', focus: 'Rules, duties and liabilities that apply.' },
  { name: 'Innovator', focus: 'Better options nobody has named.' },
  { name: 'Critic of language', focus: 'Ambiguity, and terms used in several senses.' },
  { name: 'Decision maker', focus: 'What to do now, and what would change the decision.' },
];

/** What one point of view takes to write down; casting is to be quick. */
const TOKENS_A_LENS = 40;

/** Step 0: the arbiter picks points of view for this very message. It is shown the conversation only. */
export function castPrompt(conversation: Conversation, count: number): PromptSheet {
  const experts =
    count === 1
      ? 'the one expert who would answer it best'
      : `${count} experts with clearly different points of view who together would answer it best`;
  return taskSheet(conversation, [
    `Do not answer the message. Choose ${experts}.`,
    `Reply with one JSON object and nothing else, in at most ${Math.max(200, TOKENS_A_LENS * count)} tokens:\n{"lenses": [{"name": two or three words, "focus": what this expert looks at, in one short sentence}]}`,
  ]);
}

/** Round 1: an opinion from one point of view, without having seen another. */
export function opinionPrompt(conversation: Conversation, lens: Lens): PromptSheet {
  return taskSheet(conversation, [
    ...role(lens),
    'Give your expert opinion on the message: your answer, the claims it rests on, and how sure you are of each. Other experts cover other points of view; say what yours shows.',
  ]);
}

/** Another expert's last opinion, known by its point of view. */
export interface SharedOpinion {
  readonly lens: Lens;
  readonly text: string;
}

/** Round 2 and later: agree or dissent claim by claim, then state the opinion again. */
export function reconsiderPrompt(
  conversation: Conversation,
  { lens, own, others }: { readonly lens: Lens; readonly own: string; readonly others: readonly SharedOpinion[] },
): PromptSheet {
  return taskSheet(conversation, [
    ...role(lens),
    'Your opinion so far:',
    { title: 'yours', text: own },
    ...(others.length === 0
      ? ['You are working alone: read your opinion again as a sceptical colleague would.']
      : [
          'The other experts, by point of view:',
          ...others.map((other) => ({ title: `expert: ${other.lens.name}`, text: other.text })),
        ]),
    DATA_RULE,
    `${others.length === 0 ? 'Take your claims one by one: confirm each, or correct it and say why.' : 'Take the claims of the others one by one: concur, or dissent and say why.'} ${CHANGE_RULE} Then state your complete revised opinion.`,
    'Then end with one line of its own: "DISSENT: none" if nothing is disputed that was not disputed before, else "DISSENT: new".',
  ]);
}

/** What the chair is shown of one expert. */
export interface JudgedOpinion extends Labelled {
  readonly lens: Lens;
}

/** The opinions as the arbiter, in the chair, reads them. */
export function panelOpinions(opinions: readonly JudgedOpinion[]): Block[] {
  const count = opinions.length === 1 ? 'The opinion of one expert' : `The opinions of ${opinions.length} experts`;
  return [
    `${count} on the message above. You chair the panel; the experts are anonymous but for their point of view:`,
    ...opinions.map(({ label, lens, text }) => ({ title: `${label}, ${lens.name}`, text })),
  ];
}

/** What the chair's analysis holds. */
export const OPINION_ANALYSIS: AnalysisForm = {
  noun: 'opinion',
  ranked: false,
  parts: [
    { key: 'agreements', title: 'Where the experts agree', ask: 'claims all of them support' },
    {
      key: 'conflicts',
      title: 'Where they differ',
      ask: 'what is disputed and by whom',
      rulings: true,
    },
    { key: 'unique', title: 'Seen by one expert only', ask: 'valuable claims of a single expert, each with its label' },
    { key: 'dissent', title: 'Dissent', ask: 'minority views that remain, each with its label' },
  ],
};

/** How the chair answers. */
export const OPINION_ANSWER_TASK = [
  'As chair, answer the message with a clear recommendation. Say where the points of view agree; where they do not, say what each rests on and which one you follow; keep a warning that only one of them gives when it is sound.',
  'You may speak of points of view (“legally”, “from the user’s side”), never of a panel.',
];

function role({ name, focus }: Lens): Block[] {
  return [`For this message you are the ${name}. Your point of view: ${focus}`];
}
