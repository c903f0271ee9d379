import { requestOf } from '../../../test/support/played-run';
import { createCatalog } from '../../models/catalog';
import { newConversation } from '../../prompting/prompt-draft';
import { AnswerTimes } from '../deadline/answer-times';
import { announcedCall, question } from '../waves/question';
import { RunBudget } from './budget';
import { callsOfRun } from './calls';
import type { RunLimits, WrittenCall } from './limits';

const { modelOf } = createCatalog();
const AT_MS = Date.UTC(2026, 0, 15);

/** The budget of a run of two drafts and an answer by a small model, and its calls with this prompt. */
function scene(limits: RunLimits, prompt = SHORT) {
  const request = requestOf({
    strategy: 'competitive_refinement',
    models: ['gpt-4o', 'gpt-4o'],
    arbiter: 'gpt-4o-mini',
    rounds: 1,
    explain: false,
    limits,
  });
  const paces = new AnswerTimes().of('alice');
  let spentNanoUsd = 0;
  const calls = () => callsOfRun(request, request.strategy.calls(request), AT_MS);
  const facts = { request, calls, paces, atMs: AT_MS, spentNanoUsd: () => spentNanoUsd, elapsedMs: () => 0 };
  const budget = new RunBudget(facts);
  const call = (callId: string): WrittenCall => ({
    callId,
    seat: { id: callId, model: modelOf('gpt-4o'), label: 'GPT-4o' },
    purpose: 'draft',
    prompt: { turns: [{ role: 'user', text: prompt }] },
  });
  const spend = (nanoUsd: number): void => {
    spentNanoUsd += nanoUsd;
  };
  return { budget, call, spend };
}

/** Estimated tokens of a text as a prompt: its own and four around it. */
function promptTokensOf(text: string): number {
  const seat = { id: 'p1', model: modelOf('gpt-4o'), label: 'GPT-4o' };
  const asked = { callId: 'a', seat, purpose: 'draft', round: 1 } as const;
  return announcedCall(
    question(asked, { conversation: newConversation({ requestId: 'q1', history: [], message: text }), task: [] }),
  ).promptTokens;
}

const COST = 'more could cost more than maxCostUsd';
const CONVERSATION_TOKENS = promptTokensOf('Is a tomato a fruit?');
/** A long text: 1,200 tokens and as many as the message has. */
const TEXT_TOKENS = 1_200 + CONVERSATION_TOKENS - 4;
/** GPT-4o mini reads the conversation, 350 tokens of our words and two texts, and writes one. */
const ANSWER_NANO_USD = (CONVERSATION_TOKENS + 350 + 2 * TEXT_TOKENS) * 150 + TEXT_TOKENS * 600;
/** Prompts of GPT-4o are estimated a third longer. */
const draftNanoUsd = (prompt: string): number =>
  Math.ceil((promptTokensOf(prompt) * 4) / 3) * 2_500 + TEXT_TOKENS * 10_000;
const SHORT = 'word'.repeat(9);
const DRAFT_NANO_USD = draftNanoUsd(SHORT);

describe('the budget of a run', () => {
  it('lets a wave begin that fits with the answer to the nano-USD, and none that is dearer', () => {
    const enough = 2 * DRAFT_NANO_USD + ANSWER_NANO_USD;
    for (const [maxCostNanoUsd, flaw] of [
      [enough, undefined],
      [enough - 1, COST],
    ] as const) {
      const { budget, call } = scene({ maxCostNanoUsd });
      expect(budget.admit([call('a'), call('b')])).toBe(flaw);
      expect(budget.refusal).toBe(flaw);
      expect(budget.outputTokensMax('a')).toBe(flaw ? undefined : TEXT_TOKENS);
    }
  });

  it('sets aside what calls under way may come to, until they are over', () => {
    const { budget, call, spend } = scene({ maxCostNanoUsd: 2 * DRAFT_NANO_USD + ANSWER_NANO_USD });
    expect(budget.admit([call('a'), call('b')])).toBeUndefined();
    // Those it has let begin are not looked at again.
    expect(budget.admit([call('a')])).toBeUndefined();
    expect(budget.admit([call('c')])).toBe(COST);
    spend(DRAFT_NANO_USD / 2);
    budget.ended('a', 'A berry.');
    expect(budget.admit([call('c')])).toBe(COST);
    spend(DRAFT_NANO_USD / 2);
    budget.ended('b', 'A berry.');
    expect(budget.admit([call('c')])).toBeUndefined();
  });

  it('lets calls write more with their share of what nothing else needs, prompts being longer than they seem', () => {
    const prompt = 'word'.repeat(40_000);
    const spare = 20_000_000;
    const maxCostNanoUsd = 2 * draftNanoUsd(prompt) + ANSWER_NANO_USD + spare;
    const { budget, call } = scene({ maxCostNanoUsd }, prompt);
    expect(budget.admit([call('a'), call('b')])).toBeUndefined();
    // Half of it each; what is written is read by the arbiter, too.
    const more = Math.floor(spare / 2 / (10_000 + 150));
    expect(budget.outputTokensMax('a')).toBe(TEXT_TOKENS + more);
    expect(budget.outputTokensMax('b')).toBe(TEXT_TOKENS + more);
  });

  it('bounds nothing where no cost is limited', () => {
    const { budget, call } = scene({ maxMs: 60_000 });
    expect(budget.admit([call('a')])).toBeUndefined();
    expect(budget.outputTokensMax('a')).toBeUndefined();
    expect(budget.mayAskAgain()).toBe(true);
  });

  it('makes a failed call again only where that fits as well', () => {
    const { budget, call, spend } = scene({ maxCostNanoUsd: 2 * DRAFT_NANO_USD + ANSWER_NANO_USD });
    expect(budget.admit([call('a'), call('b')])).toBeUndefined();
    expect(budget.mayAskAgain()).toBe(true);
    spend(1);
    expect(budget.mayAskAgain()).toBe(false);
  });

  it('sets nothing aside for an answer that is there: its repair may take all that is left', () => {
    const maxCostNanoUsd = DRAFT_NANO_USD;
    const { budget, call, spend } = scene({ maxCostNanoUsd });
    expect(budget.admit([call('a')])).toBe(COST);
    expect(budget.admit([call('a')], 'before')).toBeUndefined();
    expect(budget.outputTokensMax('a')).toBeUndefined();
    spend(1);
    expect(budget.admit([call('a')], 'before')).toBe(COST);
  });
});
