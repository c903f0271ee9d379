import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Gate, Wallet } from '../study/run/gate.ts';
import type { Setup } from '../study/run/journal.ts';
import { lockFolder, openJournal, readKept } from '../study/run/journal.ts';
import { playStudy } from '../study/run/play-study.ts';
import { Stopped } from '../study/service/client.ts';
import { finishedRun, temporaryDirectory } from './support.ts';

const SETUP: Setup = {
  ...{ version: '1/1', seed: 1, tasks: 2, kinds: 'form', panel: 'a,b', arbiter: 'c', strategies: 'auto' },
  ...{ repeats: 1, rounds: 1, file: '', judges: '' },
};

/** Calls that end when they are told to. */
function scene(capNanoUsd: number, atOnce: number) {
  const wallet = new Wallet(capNanoUsd, 0);
  const gate = new Gate(wallet, atOnce);
  const began: string[] = [];
  const ends = new Map<string, (cost: number) => void>();
  const call = (name: string, reservedNanoUsd: number) => {
    const { promise: made, resolve } = Promise.withResolvers<number>();
    ends.set(name, resolve);
    const work = { began: () => began.push(name), make: () => made, costOf: (cost: number) => cost };
    const passed = gate.pass({ reservedNanoUsd, ...work });
    // Each is awaited where its end matters.
    passed.catch(() => undefined);
    return passed;
  };
  const end = async (name: string, cost: number) => {
    ends.get(name)?.(cost);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  return { wallet, gate, began, call, end };
}

it('begins a run once the last is checked and written, so that a kill wastes no more than those under way', async () => {
  using directory = temporaryDirectory();
  let asked = 0;
  const seen: number[][] = [];
  const journal = openJournal(directory.path, SETUP, [{ id: 't1' }]);
  const run = async () => {
    asked += 1;
    return { answer: '7', costNanoUsd: 1, isPriced: true, calls: 1, firstTextMs: 1, durationMs: 1 };
  };
  const check = async () => {
    await new Promise(setImmediate);
    seen.push([asked, readKept(directory.path).runs.size]);
    return { isRight: true, hasForm: true, falseFacts: 0 };
  };
  const price = { highNanoUsd: 1 };
  await playStudy({
    ...{ tasks: [{ id: 't1', kind: 'form', prompt: '7?', isOpen: false, check }], panel: ['a', 'b'], arbiter: 'c' },
    ...{ strategies: [], repeats: 1, rounds: 1, seed: 1, atOnce: 1, judges: [], told: () => undefined },
    ...{ journal, gate: new Gate(new Wallet(100, 0), 1), client: { run }, prices: { of: () => price } },
    ...{ judgePrices: () => price, runs: new Map(), judgements: new Map(), dearest: new Map(), external: new Map() },
  } as never);
  expect(seen.slice(0, 3)).toEqual([
    [1, 0],
    [2, 1],
    [3, 2],
  ]);
});

describe('the gate', () => {
  it('lets so many calls through at once, in their order', async () => {
    const { call, end, began } = scene(100, 2);
    for (const name of ['a', 'b', 'c', 'd', 'e']) void call(name, 1);
    await end('', 0);
    expect(began.join('')).toBe('ab');
    await end('b', 1);
    expect(began.join('')).toBe('abc');
    await end('a', 1);
    await end('c', 1);
    expect(began.join('')).toBe('abcde');
  });

  it('begins nothing that could pass the cap with what is under way, and waits for that first', async () => {
    const { call, end, began, wallet } = scene(100, 4);
    void call('a', 60);
    const second = call('b', 60);
    await end('', 0);
    expect(began).toEqual(['a']);
    await end('a', 40);
    await end('b', 60);
    await second;
    expect(wallet.spentNanoUsd).toBe(100);
    await expect(call('c', 1)).rejects.toMatchObject({ why: 'cap' });
    expect(began).toEqual(['a', 'b']);
  });

  it('lets no cheaper call go before one that does not fit', async () => {
    const { call, end, began } = scene(100, 4);
    const calls = [call('a', 90), call('b', 50), call('c', 10)];
    await end('a', 90);
    await expect(calls[1]).rejects.toMatchObject({ why: 'cap' });
    await expect(calls[2]).rejects.toMatchObject({ why: 'cap' });
    expect(began).toEqual(['a']);
  });

  it('takes a call that failed to have cost all that was set aside, and begins nothing more', async () => {
    const { gate, wallet } = scene(100, 1);
    const failing = { reservedNanoUsd: 30, began: () => undefined, costOf: () => 0 };
    const broken = gate.pass({ ...failing, make: () => Promise.reject(new Error('gone')) });
    const next = gate.pass({ ...failing, make: async () => 0 });
    await expect(broken).rejects.toThrow('gone');
    await expect(next).rejects.toMatchObject({ why: 'failed' });
    expect(wallet.spentNanoUsd).toBe(30);
  });

  it('lets what is under way end when it is stopped', async () => {
    const { gate, call, end, wallet } = scene(100, 1);
    const [first, second] = [call('a', 10), call('b', 10)];
    await end('', 0);
    gate.stop(new Stopped('interrupted', 'enough'));
    await expect(second).rejects.toThrow('enough');
    await end('a', 7);
    expect([await first, wallet.spentNanoUsd]).toEqual([7, 7]);
  });
});

describe('the journal', () => {
  it('holds what was finished, and counts what was begun and has no ending at all that was set aside for it', () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'runs.jsonl');
    const journal = openJournal(directory.path, SETUP, [{ id: 't1' }, { id: 't2' }]);
    journal.began('one', 50);
    journal.ended('one', finishedRun({ costNanoUsd: 20 }));
    journal.began('two', 70);
    journal.began('two', 30);
    // As a kill leaves it.
    appendFileSync(file, '{"ended":"two","run":{"cos');
    const again = openJournal(directory.path, SETUP, [{ id: 't1' }, { id: 't2' }]);
    expect([[...again.kept.runs.keys()], again.kept.spentNanoUsd]).toEqual([['one'], 20 + 70 + 30]);
    again.ended('two', finishedRun({ costNanoUsd: 25 }));
    expect(readKept(directory.path)).toMatchObject({ spentNanoUsd: 20 + 70 + 25, taskIds: ['t1', 't2'], setup: SETUP });
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(6);
    expect(() => openJournal(directory.path, { ...SETUP, seed: 2 }, [])).toThrow(
      `--out ${directory.path} holds another study (its seed is 1, not 2): choose another folder`,
    );
  });

  it.each([
    ['{"task":"of the small model"}\n', /runs\.jsonl is not of a study: choose another folder$/],
    ['{"study":\n', /^line 1 of .*runs\.jsonl is damaged$/],
  ])('leaves alone what is none: %j', (text, message) => {
    using directory = temporaryDirectory();
    const file = join(directory.path, 'runs.jsonl');
    writeFileSync(file, text);
    expect(() => openJournal(directory.path, SETUP, [])).toThrow(message);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it('is begun anew where nothing was played yet, as where the price was too high', () => {
    using directory = temporaryDirectory();
    openJournal(directory.path, SETUP, [{ id: 't1' }]);
    openJournal(directory.path, { ...SETUP, tasks: 1 }, [{ id: 't2' }]);
    expect(readKept(directory.path)).toMatchObject({ setup: { tasks: 1 }, taskIds: ['t2'] });
  });
});

it('keeps a second process out of a folder, and takes no dead one for it', () => {
  using directory = temporaryDirectory();
  const folder = join(directory.path, 'study');
  mkdirSync(folder);
  // Its parent runs for as long as this suite does.
  writeFileSync(join(folder, 'lock'), String(process.ppid));
  expect(() => lockFolder(folder)).toThrow(`is under way (process ${process.ppid})`);
  // No process has so high a number.
  writeFileSync(join(folder, 'lock'), '2000000000');
  lockFolder(folder)[Symbol.dispose]();
});
