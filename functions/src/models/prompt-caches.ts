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
 * one reads what this one writes, however much is between. `passing` characters at the end of a message are not the
 * client's, and what stands before them is marked: of the user's last message they are shown in this turn only, of the last
 * message of the `request` in this one only.
 */
export function markedConversation(
  prompt: ModelPrompt,
  passing = 0,
  lasting: 'turn' | 'request' = 'turn',
): ModelPrompt {
  const { turns } = prompt;
  const [last, said] = [turns.length - 1, turns.findLastIndex(isSaid)];
  const end = passing > 0 && lasting === 'request' ? [passing] : [0];
  const own = passing > 0 && lasting === 'turn' ? [passing] : [];
  const reply = turns.findLastIndex(({ role }) => role === 'assistant');
  // Words that a turn before has added to the user's are gone, and all that stood behind them is of no use.
  const isNewTurn = own.length > 0 && said > reply;
  const before = turns.findLastIndex((turn, at) => at < reply && turn.role === 'user' && (!isNewTurn || isSaid(turn)));
  const marksAt = (at: number): number[] => [
    ...(at === said ? own : []),
    ...(at === before ? [0] : []),
    ...(at === last ? end : []),
  ];
  return { ...prompt, turns: turns.map((turn, at) => withMarks(turn, marksAt(at))) };
}

/** True of a turn with the user's own words. */
function isSaid({ role, toolResults }: ChatTurn): boolean {
  return role === 'user' && toolResults === undefined;
}

function withMarks(turn: ChatTurn, cacheMarks: readonly number[]): ChatTurn {
  return cacheMarks.length === 0 ? turn : { ...turn, cacheMarks };
}
