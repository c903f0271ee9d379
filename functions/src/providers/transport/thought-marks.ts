import { lowerCase } from './mark-search';

/** Marks of thoughts written into a reply. */
export interface ThoughtMarks {
  /** Beginning of a reply that begins with a thought. */
  readonly opens: string;
  /** Marks that end the thought: these, one after the other. The opening mark may be the first of them. */
  readonly closes: readonly string[];
  /** Mark that a server may leave at the very end of the answer. */
  readonly ends?: string;
  /** The opening may as well be that of an answer: what follows is a thought only if its end comes, else text after all. */
  readonly unsure?: true;
  /** True if large letters are not small ones. */
  readonly exact?: true;
}

/** The tags that models think in; their letters may be large or small. */
const TAGS = ['think', 'thinking', 'thought', 'reasoning', 'seed:think'];

/** The format of gpt-oss: thoughts and calls go into channels, the answer into the one named `final`. */
const HARMONY = { closes: ['<|channel|>final', '<|message|>'], ends: '<|return|>' };

/** All in small letters, as they are compared. */
const THOUGHT_MARKS: readonly ThoughtMarks[] = [
  ...TAGS.map((tag) => ({ opens: `<${tag}>`, closes: [`</${tag}>`] })),
  { opens: '[think]', closes: ['[/think]'] },
  { opens: '◁think▷', closes: ['◁/think▷'] },
  { opens: '<|channel|>', ...HARMONY },
  { opens: '<|start|>assistant', ...HARMONY },
];

/**
 * The same format from a server that drops its marks and leaves their words, each run into the next text:
 * `analysisThe user asks … assistantfinalParis.`
 */
const BARE_HARMONY: ThoughtMarks = { opens: 'analysis', closes: ['assistantfinal'], unsure: true, exact: true };
/** Behind it: a word or an opening quotation mark, never what goes on a sentence, a name in code or a word of English. */
const RUN_IN = /^[\p{L}\p{N}"“「]/u;

const OPENING_MAX = Math.max(...THOUGHT_MARKS.map(({ opens }) => opens.length));

/** Marks of the thought that a reply begins with, or `perhaps` while one may still come. */
export function openingOf(head: string): ThoughtMarks | 'perhaps' | undefined {
  const small = lowerCase(head.slice(0, OPENING_MAX));
  const marks = THOUGHT_MARKS.find(({ opens }) => small.startsWith(opens));
  if (marks) return marks;
  const { opens } = BARE_HARMONY;
  if (head.startsWith(opens) && RUN_IN.test(head.slice(opens.length, opens.length + 1))) return BARE_HARMONY;
  const isBegun = opens.startsWith(head) || THOUGHT_MARKS.some((each) => each.opens.startsWith(small));
  return isBegun ? 'perhaps' : undefined;
}

/** Marks of a thought whose beginning stands in the prompt: the templates of DeepSeek and Qwen write it there. */
export const UNOPENED: ThoughtMarks = { opens: '', closes: ['</think>'], unsure: true };
