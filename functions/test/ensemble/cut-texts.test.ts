import type { ProviderCall } from '../../src/models/model';
import { sharedApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';

/** A text that is not known to be whole counts for less than a whole one, and is told from it. */

const MODELS = ['alpha', 'beta', 'gamma'];
const MARK = '[The text breaks off here; its end is missing.]';
/** Longer than any whole text: its length is not to make it the best. */
const HALF = `ANSWER: yes ${'because it has seeds, '.repeat(20)}and`;

const app = sharedApp();

const promptOf = ({ prompt }: ProviderCall): string => prompt.turns.map(({ text }) => text).join('\n');
const textsSeenBy = (purpose: string): string[] =>
  app.models.calls.filter((call) => call.purpose === purpose).map(promptOf);

async function complete(script: Script, options: object = {}) {
  app.models.play(script);
  const { body } = await app.complete({
    model: 'umpire',
    ai_ensemble: { models: MODELS, includeCandidates: true, ...options },
  });
  return body;
}

const halfDraft =
  (ofModel: string): Script =>
  (call) => {
    if (call.purpose !== 'draft') return PLAIN(call);
    return call.providerModel === ofModel ? { text: HALF, finishReason: 'failed' } : { text: 'ANSWER: yes' };
  };

it('the arbiter is told which text breaks off, and no other', async () => {
  await complete(halfDraft('beta'));
  const [seen = ''] = textsSeenBy('answer');
  expect(seen.split(MARK)).toHaveLength(2);
  expect(seen.indexOf(MARK)).toBeGreaterThan(seen.indexOf('has seeds, and'));
});

it('its author is the last to step in for the arbiter, however long it is', async () => {
  const { degraded } = await complete((call) =>
    call.purpose === 'answer' && call.providerModel === 'umpire'
      ? { text: '', finishReason: 'content_filter' }
      : halfDraft('beta')(call),
  );
  expect(degraded?.at(-1)).toMatch(/^umpire \(content filter\) failed to write the answer; (alpha|gamma) stepped in$/);
});

it('a revision that is cut off leaves the draft as it was', async () => {
  const { choices } = await complete(
    (call) => {
      if (call.purpose === 'draft') return { text: `A draft by ${call.providerModel}.` };
      const isCut = call.purpose === 'revise' && call.providerModel === 'beta';
      return isCut ? { text: 'Better, but', finishReason: 'length' } : PLAIN(call);
    },
    { rounds: 2 },
  );
  expect(choices[0].candidates?.map(({ response }) => response)).toEqual([
    'A better draft.',
    'A draft by beta.',
    'A better draft.',
  ]);
});

it('a whole revision takes the place of a draft that was cut off', async () => {
  await complete(halfDraft('beta'), { rounds: 2 });
  expect(textsSeenBy('revise').filter((seen) => seen.includes(MARK))).toHaveLength(2);
  const [seen = ''] = textsSeenBy('answer');
  expect(seen).not.toContain(MARK);
});

it('behind long drafts the arbiter is shown the message again, as the last words of its prompt', async () => {
  const drafted = (characters: number) =>
    complete((call) => (call.purpose === 'draft' ? { text: 'x'.repeat(characters) } : PLAIN(call)), { rounds: 1 });
  await drafted(3_000);
  const again = /\n\nThe user's message again:\n\nIs a tomato a fruit\?$/;
  expect(textsSeenBy('answer')).toEqual([expect.stringMatching(again)]);
  app.models.reset();
  await drafted(300);
  expect(textsSeenBy('answer')).toEqual([expect.not.stringMatching(/message again/)]);
});
