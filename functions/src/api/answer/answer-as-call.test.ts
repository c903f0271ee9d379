import type { EnsembleResult } from '../../ensemble/open-ensemble';
import { Fault } from '../../errors';
import type { Finished } from '../../runs/run';
import { playAsCall } from './answer-as-call';

const CALL = { id: 'call_1', name: 'verdict' };

/** Pieces that a reader gets of an answer in these, and the end of its run. */
async function readerOf(pieces: readonly string[], end: object = { result: { degraded: [] } }) {
  const got: unknown[] = [];
  const note = (piece: unknown) => {
    got.push(piece);
    return undefined;
  };
  const play = playAsCall(CALL, async ({ text }) => {
    for (const piece of pieces) await text(piece);
    return end as Finished<EnsembleResult>;
  });
  const ended = await play({ live: true, text: note, toolCall: note, status: () => undefined });
  return { got, ended };
}

it('an object goes out piece by piece as the arguments of one call, a blank beginning with its first words', async () => {
  const { got, ended } = await readerOf(['\n', ' ', '{"a', '":1}']);
  expect(got).toEqual([
    { index: 0, begins: CALL, arguments: '\n {"a' },
    { index: 0, arguments: '":1}' },
  ]);
  expect(ended).toMatchObject({ result: { toolCalls: [{ ...CALL, arguments: '\n {"a":1}' }] } });
});

it.each([[['\n', 'No', ', {"a":1}']], [['[{}', ']']]])(
  'what does not begin as an object stays a text: %j',
  async (pieces) => {
    const { got, ended } = await readerOf(pieces);
    expect(got.join('')).toBe(pieces.join(''));
    expect(ended).toEqual({ result: { degraded: [] } });
  },
);

it('a run that fails within its arguments has failed', async () => {
  const fault = new Fault('models_failed', 'The answer was cut off');
  expect((await readerOf(['{"a'], fault)).ended).toBe(fault);
});
