/** How a way to write thoughts into a reply begins and ends. */
export interface ThoughtMarks {
  /** What a reply begins with that begins with a thought. */
  readonly opens: string;
  /** What ends the thought: these, one after the other. The opening mark may be the first of them. */
  readonly closes: readonly string[];
  /** What a server may leave at the very end of the answer. */
  readonly ends?: string;
}

/** The tags that models think in; their letters may be large or small. */
const TAGS = ['think', 'thinking', 'thought', 'reasoning', 'seed:think'];

/** The format of gpt-oss: thoughts and calls go into channels, the answer into the one named `final`. */
const HARMONY = { closes: ['<|channel|>final', '<|message|>'], ends: '<|return|>' };

/** All in small letters, as they are compared. */
export const THOUGHT_MARKS: readonly ThoughtMarks[] = [
  ...TAGS.map((tag) => ({ opens: `<${tag}>`, closes: [`</${tag}>`] })),
  { opens: '[think]', closes: ['[/think]'] },
  { opens: '◁think▷', closes: ['◁/think▷'] },
  { opens: '<|channel|>', ...HARMONY },
  { opens: '<|start|>assistant', ...HARMONY },
];

/** How a thought ends whose beginning stands in the prompt: the templates of DeepSeek and Qwen write it there. */
export const UNOPENED: ThoughtMarks = { opens: '', closes: ['</think>'] };
