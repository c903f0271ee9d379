import type { ChatTurn, ModelPrompt } from './model';

/** Least tokens that a provider keeps in a cache, where a model has another minimum than most. */
const MINIMUMS: readonly (readonly [RegExp, number])[] = [
  [/claude-(?:haiku-4[-.]5|opus-4[-.][56])/, 4_096],
  [/claude-(?:opus-4[-.]7|3[-.]5-haiku|3-haiku)/, 2_048],
  [/claude-(?:opus|fable|mythos)-5/, 512],
];
const USUAL_MINIMUM = 1_024;

/** Least tokens of a prompt that the provider of a model keeps in its cache: a shorter one is marked for nothing. */
export function cachedTokensMin({ providerModel }: { readonly providerModel: string }): number {
  return MINIMUMS.find(([models]) => models.test(providerModel))?.[1] ?? USUAL_MINIMUM;
}

/** True of a prompt of which something is marked for its provider's cache. */
export function isMarked({ turns }: ModelPrompt): boolean {
  return turns.some(({ cacheMarks }) => cacheMarks !== undefined);
}

/** The same prompt without marks, for a server that refuses them. */
export function unmarked(prompt: ModelPrompt): ModelPrompt {
  return { ...prompt, turns: prompt.turns.map(({ cacheMarks: _, ...turn }) => turn) };
}

/**
 * The same prompt of a conversation that goes on, marked where it ends and where the request before it has ended: the next
 * one reads what this one writes, however much is between. `passing` characters at its end are of this request only: what
 * stands before them is marked.
 */
export function markedConversation(prompt: ModelPrompt, passing = 0): ModelPrompt {
  const { turns } = prompt;
  const reply = turns.findLastIndex(({ role }) => role === 'assistant');
  const before = turns.findLastIndex(({ role }, at) => at < reply && role === 'user');
  const marks = new Map([
    [before, 0],
    [turns.length - 1, passing],
  ]);
  return { ...prompt, turns: turns.map((turn, at) => withMark(turn, marks.get(at))) };
}

/** The same turn with one more mark. */
export function withMark(turn: ChatTurn, mark: number | undefined): ChatTurn {
  if (mark === undefined) return turn;
  return { ...turn, cacheMarks: [...new Set([...(turn.cacheMarks ?? []), mark])].sort((a, b) => b - a) };
}

/** Marks that a prompt may have in its turns: no provider takes more than four, and one is for what stands before them. */
const MARKS_MAX = 3;

/** The same prompt with no more marks than are taken: those that stand last. */
export function withFewMarks(prompt: ModelPrompt): ModelPrompt {
  const { turns } = prompt;
  let excess = turns.reduce((sum, { cacheMarks = [] }) => sum + cacheMarks.length, -MARKS_MAX);
  if (excess <= 0) return prompt;
  const fewer = turns.map((turn): ChatTurn => {
    if (!turn.cacheMarks || excess <= 0) return turn;
    const cacheMarks = turn.cacheMarks.slice(excess);
    excess -= turn.cacheMarks.length;
    return { ...turn, cacheMarks };
  });
  return { ...prompt, turns: fewer };
}
