import { runParts } from '../../test/support/run-parts';
import { createLog } from '../lib/log';
import { firstTextOnDisk } from './first-text';
import type { EventSink } from './run-context';

describe('the first text of an answer', () => {
  const admittedWith = (onDisk: () => Promise<void> | undefined) => {
    const { deps, request } = runParts();
    return {
      deps: { ...deps, log: createLog('silent'), store: { ...deps.store, onDisk } },
      request,
    } as unknown as Parameters<typeof firstTextOnDisk>[0];
  };
  const sinkOf = (live: boolean) => {
    const sent: string[] = [];
    const sink: EventSink = {
      live,
      text: (piece) => void sent.push(piece),
      toolCall: ({ arguments: text }) => void sent.push(text),
      status: (message) => void sent.push(message),
    };
    return { sink, sent };
  };

  it('waits until what was called for it is on disk, and all that comes meanwhile stays behind it, in order', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { sink, sent } = sinkOf(true);
    const first = firstTextOnDisk(
      admittedWith(() => promise),
      sink,
    );
    const passed = [first.text('a'), first.text('b'), first.toolCall?.({ index: 0, arguments: 'c' })];
    first.status('d');
    expect(sent).toEqual(['d']);
    resolve();
    await Promise.all(passed);
    expect(sent).toEqual(['d', 'a', 'b', 'c']);
    expect(first.text('e')).toBeUndefined();
    expect(sent.at(-1)).toBe('e');
  });

  it('does not leave where the disk has failed', async () => {
    const { sink, sent } = sinkOf(true);
    const first = firstTextOnDisk(
      admittedWith(() => Promise.reject(new Error('no disk'))),
      sink,
    );
    await expect(first.text('a')).rejects.toThrow('no disk');
    expect(sent).toEqual([]);
  });

  it.each([
    ['nothing is on its way to the disk', true, () => undefined],
    ['the reply is sent whole, behind its settlement', false, () => new Promise<void>(() => undefined)],
  ])('passes at once where %s', (_, live, onDisk) => {
    const { sink, sent } = sinkOf(live);
    expect(firstTextOnDisk(admittedWith(onDisk), sink).text('a')).toBeUndefined();
    expect(sent).toEqual(['a']);
  });
});
