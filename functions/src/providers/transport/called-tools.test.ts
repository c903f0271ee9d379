import fc from '../../../test/support/properties';
import { faultOf, RecordingListener } from '../../../test/support/provider-calls';
import { ReplyToolCalls } from '../../models/gateway/reply-parts';
import { type CalledPiece, CalledTools } from './called-tools';

/** The calls that a listener makes of these pieces. */
async function read(...pieces: readonly Partial<CalledPiece>[]) {
  const listener = new RecordingListener();
  const called = new CalledTools(listener);
  for (const piece of pieces) await called.take({ key: undefined, id: '', name: '', arguments: '', ...piece });
  await called.end();
  const calls = new ReplyToolCalls();
  for (const piece of listener.toolPieces) calls.add(piece);
  return { calls: calls.told(false).toolCalls ?? [], listener };
}

const OWN_ID = expect.stringMatching(/^call_[0-9a-f]{24}$/);

describe('tool calls are read', () => {
  it.each([
    [
      'with indexes that jump',
      [
        { key: 7, id: 'a', name: 'f', arguments: '1' },
        { key: -1, id: 'b', name: 'g', arguments: '2' },
        { key: 7, arguments: '3' },
      ],
      [
        { id: 'a', name: 'f', arguments: '13' },
        { id: 'b', name: 'g', arguments: '2' },
      ],
    ],
    [
      'with the same index for all, told apart by their ids',
      [
        { key: 0, id: 'a', name: 'f', arguments: '1' },
        { key: 0, id: 'b', name: 'f', arguments: '2' },
      ],
      [
        { id: 'a', name: 'f', arguments: '1' },
        { id: 'b', name: 'f', arguments: '2' },
      ],
    ],
    [
      'without indexes and ids: a name begins one',
      [{ name: 'f', arguments: '1' }, { arguments: '2' }, { name: 'f', arguments: '3' }],
      [
        { id: OWN_ID, name: 'f', arguments: '12' },
        { id: OWN_ID, name: 'f', arguments: '3' },
      ],
    ],
    [
      'with a name that comes late',
      [
        { key: 0, id: 'a', arguments: '1' },
        { key: 0, name: 'f', arguments: '2' },
      ],
      [{ id: 'a', name: 'f', arguments: '12' }],
    ],
    [
      'with a name in every piece',
      [1, 2].map((n) => ({ key: 0, id: 'a', name: 'f', arguments: String(n) })),
      [{ id: 'a', name: 'f', arguments: '12' }],
    ],
    [
      'with arguments that are no JSON, as they are',
      [{ key: 0, id: 'a', name: 'f', arguments: '{x' }],
      [{ id: 'a', name: 'f', arguments: '{x' }],
    ],
    ['and none where there is no name', [{ key: 0, id: 'a', arguments: '{}' }], []],
  ])('%s', async (_, pieces, expected) => {
    expect((await read(...pieces)).calls).toEqual(expected);
  });

  it('no more than 128 in a reply', async () => {
    const pieces = Array.from({ length: 10_000 }, (_, key) => ({ key, id: `c${key}`, name: 'f' }));
    expect((await read(...pieces.slice(0, 128))).calls).toHaveLength(128);
    expect(await faultOf(read(...pieces))).toMatchObject({ kind: 'protocol' });
  });

  it('no name of any length', async () => {
    expect(await faultOf(read({ name: 'f'.repeat(257) }))).toMatchObject({ kind: 'protocol' });
  });

  it('what is held for a name is told of', async () => {
    const { listener } = await read(...Array.from({ length: 10 }, () => ({ key: 0, arguments: 'x'.repeat(100) })));
    expect(listener.pendingMax).toBe(1_000);
  });

  it('whatever comes: indexes count up from nought and only the first piece of a call begins it', async () => {
    const piece = fc.record({
      key: fc.constantFrom(undefined, 0, 1, 7),
      id: fc.constantFrom('', 'a', 'b'),
      name: fc.constantFrom('', 'f', 'g'),
      arguments: fc.constantFrom('', '{', 'x'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 100 }), async (pieces) => {
        const { toolPieces } = (await read(...pieces)).listener;
        const begun = toolPieces.filter(({ begins }) => begins).map(({ index }) => index);
        expect(begun).toEqual(begun.map((_, index) => index));
        for (const [place, { index }] of toolPieces.entries()) {
          expect(toolPieces.findIndex((each) => each.index === index && each.begins)).toBeLessThanOrEqual(place);
        }
      }),
    );
  });
});
