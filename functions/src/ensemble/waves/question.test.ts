import { textOfTokens } from '../../../test/support/text-of-tokens';
import { createCatalog, type ModelRow } from '../../models/catalog';
import { estimatePromptTokens } from '../../models/estimate-tokens';
import type { PromptDraft } from '../../prompting/prompt-draft';
import { question, shorterQuestion } from './question';

function asked(contextTokens: number | null) {
  const model: ModelRow = { ...createCatalog().modelOf('m'), contextTokens };
  return { callId: 'r2.p1', seat: { id: 'p1', model, label: 'M' }, purpose: 'revise', round: 2 } as const;
}

/** A prompt of 21 characters and one exhibit of so many tokens, and as many characters. */
function sheetOf(tokens: number): PromptDraft {
  return {
    system: 'Be brief.',
    conversation: { requestId: 'request', history: [], message: 'Is a tomato a berry?!', nonce: '012def' },
    task: ['An answer:', { title: 'A', text: textOfTokens(tokens) }, 'Improve it.'],
  };
}

it('a question is written for the window of the model that will read it', () => {
  expect(question(asked(null), sheetOf(10_000)).cut).toBe(false);
  const { cut, prompt } = question(asked(1_000), sheetOf(10_000));
  expect(cut).toBe(true);
  // Half of a window of 1,000 is kept for the reply.
  expect(estimatePromptTokens(prompt)).toBeLessThanOrEqual(500);
});

it('a shorter question asks the same for half the window the model seems to have, under a name of its own', () => {
  const refused = question(asked(null), sheetOf(8_000));
  const shorter = shorterQuestion(refused);
  // Some 8,070 tokens; of half of them half is kept for the reply.
  expect(estimatePromptTokens(shorter.prompt)).toBeGreaterThan(1_850);
  expect(estimatePromptTokens(shorter.prompt)).toBeLessThan(2_050);
  expect(shorter).toMatchObject({ callId: 'r2.p1.shorter', purpose: 'revise', round: 2, cut: true });
  expect(shorter.prompt.turns.at(-1)?.text).toContain('8,000 characters in all, the middle left out');
});

it('a shorter question is none when there is nothing but the conversation: a prompt is never cut', () => {
  const refused = question(asked(null), { conversation: sheetOf(0).conversation, task: [] });
  expect(shorterQuestion(refused).prompt).toEqual(refused.prompt);
});
