import { randomInt } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { setTimeout as pause } from 'node:timers/promises';
import { type AnnouncedCall, RequestLedger } from '../../src/ledger/request-ledger';
import { sweepExpired } from '../../src/ledger/sweep';
import { createCatalog } from '../../src/models/catalog';
import { openEmbeddedStore } from '../../src/store/embedded/embedded-store';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import { callRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';
import { onLine, print } from '../support/worker-lines';
import { patientClock } from './patient-clock';

/**
 * One process over the ledger: `node worker.js <emulator host> <embedded|firestore> <where> <role> <name>`. It prints `ready`, then plays
 * its role. Everything it prints is on its way before the next step begins, so a kill loses none of it.
 * - `run`: runs requests until it is killed, three at a time.
 * - `settle`: for each line (request ids) settles them all, each at its own moment of the next 30 ms; prints `done n`,
 *   n being how many were its own.
 * - `sweep`: for each line (a moment in milliseconds) sweeps; prints `done n`.
 */
const [, , host = '', kind = '', where = '', role = '', name = ''] = process.argv;
if (kind === 'firestore') process.env['FIRESTORE_EMULATOR_HOST'] = host;
const store =
  kind === 'firestore'
    ? openFirestoreStore({ projectId: where, clock: patientClock })
    : openEmbeddedStore({ directory: where });
const { modelOf } = createCatalog();

/** An upstream that says, before anything else happens, what it has been asked and what it bills. */
async function upstream(call: string): Promise<{ promptTokens: number; completionTokens: number }> {
  print(`started ${call}`);
  await pause(randomInt(4));
  const usage = { promptTokens: randomInt(1, 500), completionTokens: randomInt(1, 500) };
  print(`billed ${call} ${usage.promptTokens + usage.completionTokens}`);
  return usage;
}

/** One request of two rounds, recorded the way the service does it. */
async function runRequest(requestId: string): Promise<void> {
  const asked = reservation(requestId, { userId: name.slice(0, 2) });
  const ledger = new RequestLedger(store, asked);
  const calls = ledger.reserve([planned('r1.p1'), planned('r1.p2')]);
  await store.admit(rateLimit(1_000_000), [{ ...asked, calls }], T0);
  await Promise.all(calls.map(({ callId }) => runCall(ledger, requestId, callId)));
  await runCall(ledger, requestId, 'answer');
  await ledger.settle(T0 + 5_000, 'complete');
  print(`settled ${requestId}`);
}

async function runCall(ledger: RequestLedger, requestId: string, callId: string): Promise<void> {
  const { meter, close } = await ledger.openAttempt(planned(callId), 1);
  meter.usage = await upstream(`${requestId} ${callId}`);
  Object.assign(meter, { characters: 'An answer.'.length, tokens: 3 });
  close(undefined, 4);
}

function planned(callId: string): AnnouncedCall {
  const model = modelOf(callId === 'answer' ? 'gpt-4.1' : 'gpt-4.1-mini');
  return { callId, model, seat: 'p1', purpose: 'draft', round: 1, promptTokens: 100 };
}

async function runForever(): Promise<void> {
  let count = 0;
  const lane = async (): Promise<never> => {
    for (;;) {
      count += 1;
      await runRequest(`${name}-${count}`);
    }
  };
  await Promise.all([lane(), lane(), lane()]);
}

async function settleAll(requestIds: readonly string[]): Promise<number> {
  const words = await Promise.all(
    requestIds.map(async (requestId) => {
      await pause(randomInt(30));
      return store.settle(settlement(requestId, [callRow('c', { costNanoUsd: 7 })]));
    }),
  );
  return words.filter((word) => word === 'applied').length;
}

async function work(line: string): Promise<void> {
  const sweep = () => sweepExpired({ store, clock: { ...patientClock, nowMs: () => Number(line) } });
  print(`done ${await (role === 'sweep' ? sweep() : settleAll(line.split(' ')))}`);
}

void store.findRecord('warm-up').then(() => {
  // A killed process keeps nothing of what it compiled for the next one, unless it is told to.
  flushCompileCache();
  print('ready');
  if (role === 'run') return runForever();
  onLine((line) => void work(line));
  return undefined;
});
