import type { Firestore } from '@google-cloud/firestore';
import { openFirestoreStore } from '../../src/store/firestore/firestore-store';
import type { Store } from '../../src/store/store';
import { describeWithFirestore, rawFirestore } from '../support/firestore-emulator';
import { callRow, rateLimit, reservation, settlement, T0 } from '../support/store-records';

/** Number of ids that a month tells apart. */
const IDS = 200;
const CALLS_A_REQUEST = 50;
/** Firestore's limit for a document, its name and fields together. */
const DOCUMENT_BYTES_MAX = 1_048_576;

const ODD = ['', ' ', '\t', '\u200b', '.', '..', '/', '//', '`', '*', '~', '[]', 'a.b', 'a/b', "'", '"', '\\', '\0'];
const NAMES_OF_OBJECTS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__name__', '__id7__', 'length'];

/** The shapes an id may have, `n` telling those of one shape apart. */
const SHAPES: readonly ((n: number) => string)[] = [
  (n) => `owner/model.${n}`,
  (n) => `models/gemini-${n}.5-pro:free@latest`,
  (n) => `__proto__${n}`,
  (n) => `__${n}__`,
  (n) => `🦉${'🧠'.repeat(n % 20)}${n}`,
  (n) => `${n}-`.padEnd(200, 'x'),
  (n) => `${n}-`.padEnd(200, '模'),
  (n) => ' '.repeat(n + 2),
  (n) => String(n),
];

const MODEL_IDS = [...ODD, ...NAMES_OF_OBJECTS];
for (let n = 0; MODEL_IDS.length < IDS; n += 1) MODEL_IDS.push(...SHAPES.map((shape) => shape(n)));
MODEL_IDS.length = IDS;

describeWithFirestore('a month with 200 odd model ids', (emulator) => {
  let store: Store;
  let raw: Firestore;
  beforeEach(() => {
    const projectId = emulator.newProject();
    store = openFirestoreStore({ projectId });
    raw = rawFirestore(projectId);
  });
  afterEach(async () => {
    await store.close();
    await raw.terminate();
  });

  it('has exact totals, a line for each model and no document of 1 MiB', async () => {
    expect(new Set(MODEL_IDS).size).toBe(IDS);
    const requests = IDS / CALLS_A_REQUEST;
    const ids = Array.from({ length: 2 * requests }, (_, index) => `r${index}`);
    await store.admit(
      rateLimit(1_000),
      ids.map((id) => reservation(id)),
      T0,
    );
    // Twice over, so that every line is made once and added to once; model i costs i nano-USD each time.
    for (const [index, requestId] of ids.entries()) {
      const first = (index % requests) * CALLS_A_REQUEST;
      const calls = MODEL_IDS.slice(first, first + CALLS_A_REQUEST).map((modelId, call) =>
        callRow(`c${call}`, { modelId, modelName: modelId, costNanoUsd: first + call }),
      );
      expect(await store.settle(settlement(requestId, calls))).toBe('applied');
    }

    const [month] = await store.readMonths('ada', ['2026-03']);
    // 400 calls of 10 + 20 tokens; 2 × (0 + 1 + … + 199) nano-USD.
    const totals = { promptTokens: 4_000, completionTokens: 8_000, costNanoUsd: 39_800 };
    expect(month).toMatchObject({ requests: 8, ...totals, keys: [{ id: 'key-1', requests: 8, ...totals }] });
    const lines = new Map((month?.models ?? []).map((line) => [line.id, line]));
    expect(month?.models).toHaveLength(IDS);
    for (const [index, id] of MODEL_IDS.entries()) {
      const tokens = { promptTokens: 20, completionTokens: 40 };
      expect(lines.get(id)).toEqual({ id, name: id, requests: 2, ...tokens, costNanoUsd: 2 * index });
    }
    const { docs } = await raw.collection('users/ada/usage').get();
    const sizes = docs.map((document) => Buffer.byteLength(JSON.stringify(document.data())));
    expect(Math.max(...sizes)).toBeLessThan(DOCUMENT_BYTES_MAX);
  }, 60_000);
});
