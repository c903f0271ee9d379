import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestContext,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import {
  collection,
  collectionGroup,
  deleteDoc,
  doc,
  type Firestore,
  getDoc,
  getDocs,
  setDoc,
  setLogLevel,
  updateDoc,
} from 'firebase/firestore';
import { describeWithFirestore } from '../support/firestore-emulator';

type Operation = 'get' | 'list' | 'create' | 'update' | 'delete';

/** Every kind of document there is, each with what Ada may do to her own; nobody may do anything else to any. */
const DOCUMENTS: readonly (readonly [path: string, ownerMay: readonly Operation[]])[] = [
  ['subscriptions/ada', ['get']],
  ['users/ada/keys/key-1', ['get', 'list']],
  ['users/ada/usage/2026-03', ['get']],
  ['users/ada/usage/2026-03~1', ['get']],
  ['users/ada/byok/models', ['get']],
  ['users/ada/byok/grant-2026-03', ['get']],
  ['users/ada', []],
  ['turns/ada', []],
  ['idempotency/ada', []],
  ['idempotency/ada/replyParts/1', []],
  ['users/ada/private/routerKey', []],
  ['users/ada/private/routerKey/versions/1', []],
  ['users/ada/keys/key-1/uses/1', []],
  ['users/ada/usage/2026-03/days/1', []],
  ['users/ada/byok/models/owners/1', []],
  ['users/ada/private/routerKey/keys/key-1', []],
  ['apiKeys/hash', []],
  ['keyIds/key-1', []],
  ['tagKeys/version', []],
  ['acts/act', []],
  ['users/ada/private/keyCount', []],
  ['users/ada/runs/run-1', []],
  ['users/ada/runs/run-1/runParts/events-0', []],
  ['shares/hash', []],
  ['rateLimits/ada__api', []],
  ['rateLimits/ada__byok', []],
  ['usageLedger/request', []],
  ['idem/ada_hash', []],
  ['elsewhere/anything', []],
];

const OPERATIONS: Readonly<Record<Operation, (db: Firestore, path: string) => Promise<unknown>>> = {
  get: (db, path) => getDoc(doc(db, path)),
  list: (db, path) => getDocs(collection(db, parentOf(path))),
  create: (db, path) => setDoc(doc(db, `${path}-new`), { uid: 'ada' }),
  update: (db, path) => updateDoc(doc(db, path), { uid: 'bob' }),
  delete: (db, path) => deleteDoc(doc(db, path)),
};

const USERS: Readonly<Record<string, (environment: RulesTestEnvironment) => RulesTestContext>> = {
  anonymous: (environment) => environment.unauthenticatedContext(),
  owner: (environment) => environment.authenticatedContext('ada'),
  other: (environment) => environment.authenticatedContext('bob', { email: 'ada@example.com', admin: true }),
};

const CASES = DOCUMENTS.flatMap(([path, ownerMay]) =>
  Object.keys(USERS).flatMap((user) =>
    (Object.keys(OPERATIONS) as Operation[]).map((operation) => {
      const allowed = user === 'owner' && ownerMay.includes(operation);
      return { user, word: allowed ? 'may' : 'may not', operation, path, allowed };
    }),
  ),
);

describeWithFirestore('the Firestore rules', (emulator) => {
  let environment: RulesTestEnvironment;

  beforeAll(async () => {
    setLogLevel('silent');
    const [host = '', port = ''] = (process.env['FIRESTORE_EMULATOR_HOST'] ?? '').split(':');
    const rules = readFileSync(join(__dirname, '..', '..', '..', 'firestore.rules'), 'utf8');
    environment = await initializeTestEnvironment({
      projectId: emulator.newProject(),
      firestore: { host, port: Number(port), rules },
    });
    await environment.withSecurityRulesDisabled(async (context) => {
      for (const [path] of DOCUMENTS) await setDoc(doc(firestoreOf(context), path), { uid: 'ada' });
    });
  });
  afterAll(() => environment.cleanup());

  const databases = new Map<string, Firestore>();
  const as = (user: string): Firestore => {
    const context = databases.has(user) ? undefined : USERS[user]?.(environment);
    if (context) databases.set(user, firestoreOf(context));
    const database = databases.get(user);
    if (!database) throw new Error(`there is no user ${user}`);
    return database;
  };

  it.each(CASES)('$user $word $operation $path', async ({ user, operation, path, allowed }) => {
    const attempt = OPERATIONS[operation](as(user), path);
    await (allowed ? assertSucceeds(attempt) : assertFails(attempt));
  });

  it.each(['keys', 'usage', 'byok', 'private', 'apiKeys', 'usageLedger'])(
    'let nobody look for %s of all users at once',
    async (group) => {
      for (const user of Object.keys(USERS)) await assertFails(getDocs(collectionGroup(as(user), group)));
    },
  );

  it('show the owner what is stored', async () => {
    expect((await getDoc(doc(as('owner'), 'users/ada/keys/key-1'))).data()).toEqual({ uid: 'ada' });
    expect((await getDocs(collection(as('owner'), 'users/ada/keys'))).size).toBe(1);
  });
});

/** The client SDK's own type: rules-unit-testing declares that of the compatibility layer. */
function firestoreOf(context: RulesTestContext): Firestore {
  return context.firestore() as unknown as Firestore;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
