import { join } from 'node:path';
import { type Exchange, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { isLongMode } from '../support/long-mode';
import { PROTOCOLS, type Protocol } from '../support/protocols';
import { workerPool } from '../support/worker-pool';

/** A call that fails leaves nothing behind: neither its prompt nor the text it had, whatever ended it. */

const TEXT = 't'.repeat(64 * 1024);
const MIB = 1024 * 1024;
/** Each leaves 130 KiB and more if anything keeps it, so that a single leaking kind goes beyond the limit for all. */
const FAILURES = isLongMode ? 200 : 50;
const WARM_UP = 16;
const GROWTH_MAX_BYTES = 5 * MIB;

type Failure = (exchange: Exchange, protocol: Protocol) => void;

const afterText =
  (then: Failure): Failure =>
  (exchange, protocol) => {
    exchange.write(protocol.textEvent(TEXT));
    then(exchange, protocol);
  };
const nothingMore = afterText(() => undefined);

/** Acts of the upstream; the names that speak of the reader, the client or the time are played in the worker. */
const KINDS: Readonly<Record<string, { readonly play: Failure; readonly fault: string }>> = {
  'error event': { play: afterText(({ end }, { overloadedEvent }) => end(overloadedEvent)), fault: 'overloaded' },
  // What was written is sent first.
  reset: { play: afterText(({ cut }) => setTimeout(cut, 1)), fault: 'network' },
  junk: { play: afterText(({ end }) => end('data: {oops\n\n')), fault: 'protocol' },
  'cut off': { play: afterText(({ end }) => end('data: {"half')), fault: 'network' },
  'reader throws': { play: nothingMore, fault: 'protocol' },
  'reader rejects': { play: nothingMore, fault: 'protocol' },
  'client leaves at once': { play: nothingMore, fault: 'aborted' },
  'client leaves later': { play: nothingMore, fault: 'aborted' },
  'time is up': { play: nothingMore, fault: 'timeout' },
  'error event first': { play: ({ end }, { overloadedEvent }) => end(overloadedEvent), fault: 'overloaded' },
  'reset first': { play: ({ cut }) => cut(), fault: 'network' },
  'status 500': { play: (exchange) => sendStatus(500, TEXT)(exchange), fault: 'server' },
};

const workers = workerPool(join(__dirname, 'failed-calls-worker.ts'));

test.each(PROTOCOLS)('$name: 12 kinds of failed calls leave the heap as it was', async (protocol) => {
  const upstream = await startFakeUpstream((exchange) => {
    const kind = decodeURIComponent(exchange.request.path.split('/')[1] ?? '');
    KINDS[kind]?.play(exchange, protocol);
  });
  const worker = workers.start();
  let lines = 0;
  const fail = async (kind: string, calls: number): Promise<readonly [number, readonly string[]]> => {
    worker.send(JSON.stringify([protocol.name, `${upstream.url}/${encodeURIComponent(kind)}`, kind, calls]));
    lines += 1;
    await worker.printed(lines);
    return JSON.parse(worker.lines[lines - 1] ?? '');
  };
  for (const kind of Object.keys(KINDS)) await fail(kind, WARM_UP);
  const [beforeAll] = await fail('junk', WARM_UP);
  let last = beforeAll;
  const grownMib: Record<string, string> = {};
  for (const [kind, { fault }] of Object.entries(KINDS)) {
    const [after, faults] = await fail(kind, FAILURES);
    expect({ kind, faults }).toEqual({ kind, faults: [fault] });
    grownMib[kind] = ((after - last) / MIB).toFixed(1);
    last = after;
  }
  await upstream.close();
  const isFlat = last - beforeAll <= GROWTH_MAX_BYTES;
  expect({ isFlat, ...(!isFlat && grownMib) }).toEqual({ isFlat: true });
});
