import { fakeClock } from '../../../test/support/fake-clock';
import { scopeOf } from '../../../test/support/request-scope';
import { createCatalog } from '../catalog';
import { type CallListener, type FinishReason, ModelFault } from '../model';
import { createGateway } from './gateway';
import { type CallHearing, type GatewayCall, newMeter } from './gateway-call';

type Turn = (listener: Pick<CallListener, 'text'>) => Promise<FinishReason>;

const says =
  (...pieces: string[]): Turn =>
  async (listener) => {
    for (const piece of pieces) await listener.text(piece);
    return 'stop';
  };
const breaksOff: Turn = async (listener) => {
  await listener.text('begun ');
  throw new ModelFault('network');
};

/** One call whose attempts are played by `turns`; all that is heard of it, as lines. */
function hear(turns: readonly Turn[], change: Partial<GatewayCall> = {}, wait?: () => Promise<void> | undefined) {
  const clock = fakeClock();
  const heard: string[] = [];
  const written: string[] = [];
  let attempts = 0;
  const gateway = createGateway({
    clock,
    provider: () => ({
      run: async (_, listener) => {
        attempts += 1;
        const text = async (piece: string): Promise<void> => {
          await listener.text(piece);
          written.push(piece);
        };
        return turns[attempts - 1]?.({ text }) ?? 'stop';
      },
    }),
  });
  const hearing: CallHearing = {
    started: (attempt) => void heard.push(`started ${attempt}`),
    text: (piece) => {
      heard.push(`text ${piece}`);
      return wait?.();
    },
    ended: (result) => void heard.push(`ended ${result.ok ? result.text : result.fault}`),
    again: () => void heard.push('again'),
  };
  const call = gateway.call({
    scope: scopeOf('q1'),
    model: createCatalog().modelOf('gpt-4o'),
    prompt: { turns: [{ role: 'user', text: 'x' }] },
    purpose: 'draft',
    signal: new AbortController().signal,
    budgetMs: 300_000,
    openAttempt: () => ({ meter: newMeter(), close: () => undefined, cancel: () => void heard.push('cancelled') }),
    heard: hearing,
    ...change,
  });
  return { clock, heard, written, settled: clock.settle(call, 300_000) };
}

describe('who hears a call', () => {
  it('is told each piece, blank ones too, and how it ended', async () => {
    const { heard, settled } = hear([says(' ', 'a ', 'berry')]);
    expect(await settled).toMatchObject({ ok: true, text: ' a berry' });
    expect(heard).toEqual(['started 1', 'text  ', 'text a ', 'text berry', 'ended  a berry']);
  });

  it('does not keep a call from being made again after text was heard, as a reader of its text does', async () => {
    const { heard, settled } = hear([breaksOff, says('whole')]);
    expect(await settled).toMatchObject({ ok: true, text: 'whole' });
    expect(heard).toEqual([
      ...['started 1', 'text begun ', 'ended network', 'again'],
      ...['started 2', 'text whole', 'ended whole'],
    ]);
    const read = hear([breaksOff, says('whole')], { onText: () => undefined });
    expect(await read.settled).toMatchObject({ ok: false, fault: 'network', streamed: true });
    expect(read.heard).toEqual(['started 1', 'text begun ', 'ended network']);
  });

  it('may ask to wait: the model is read no faster, and is not taken for silent', async () => {
    let taken = (): void => undefined;
    const { clock, written, settled } = hear([says('one ', 'two')], {}, () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      taken = resolve;
      return promise;
    });
    clock.after(200_000, () => {
      expect(written).toEqual([]);
      taken();
    });
    clock.after(290_000, () => {
      expect(written).toEqual(['one ']);
      taken();
    });
    expect(await settled).toMatchObject({ ok: true, text: 'one two' });
  });

  it('hears nothing of an attempt that is not made', async () => {
    const left = new AbortController();
    const { heard, settled } = hear([says('late')], {
      signal: left.signal,
      openAttempt: () => {
        left.abort();
        return { meter: newMeter(), close: () => undefined, cancel: () => undefined };
      },
    });
    expect(await settled).toMatchObject({ ok: false, fault: 'aborted' });
    expect(heard).toEqual([]);
  });
});
