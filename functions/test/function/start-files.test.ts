import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { event, type FakeUpstream, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { describeWithFirestore } from '../support/firestore-emulator';
import { type FunctionServer, startFunctionServer } from './function-server';

/*
 * What an instance on Firestore reads until its first answer, counted and not timed: the same on every machine. That of the
 * embedded store is in request-budget.test.ts. Who reads more sees the files; who reads fewer writes the new number here.
 */

const FUNCTIONS = join(__dirname, '..', '..');
/** Of the framework's packages, which a function that does nothing reads as well, and ours. */
const FILES = 152;
const TOLERANCE = 1.05;
const REPLY = `${event({ choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] })}data: [DONE]\n\n`;

describeWithFirestore('an instance on Firestore', (emulator) => {
  let upstream: FakeUpstream;
  let loadedAtStart: readonly string[];
  let loaded: readonly string[];
  let output: string;

  beforeAll(async () => {
    upstream = await startFakeUpstream(sendEvents(REPLY));
    const env = {
      ...{ STORE: 'firestore', GCLOUD_PROJECT: emulator.newProject(), KEY_PEPPER: 'pepper', LOG_LEVEL: 'warn' },
      ...{ FIRESTORE_EMULATOR_HOST: process.env['FIRESTORE_EMULATOR_HOST'] ?? '' },
      ...{ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${upstream.url}/v1`, RATE_LIMIT_RPM: '61' },
    };
    const counting = [
      'sh',
      '-c',
      'node="$1"; shift; exec "$node" --require ./test/function/count-costs.cjs "$@"',
      'sh',
    ];
    const server = await startFunctionServer(env, 'api', counting);
    try {
      loadedAtStart = await loadedBy(server);
      await ask(server);
      output = server.output();
      loaded = await loadedBy(server);
    } finally {
      await server.stop();
    }
  }, 60_000);
  afterAll(() => upstream.close());

  it('has loaded Firestore’s client when it listens: the first request does not wait for that', () => {
    expect(loadedAtStart).toContain(join(FUNCTIONS, 'lib', 'sdk-firestore.js'));
  });

  it('warns at the start of a limit that Firestore cannot keep', () => {
    expect(output).toContain('RATE_LIMIT_RPM=61 is more than Firestore is made for');
  });

  it('reads the function and Firestore’s client, a file each, and no other SDK', () => {
    const own = loaded.map((file) => relative(FUNCTIONS, file)).filter((file) => !/^\.\.|node_modules/.test(file));
    expect(own.toSorted()).toEqual([
      'lib/index.cjs',
      'lib/index.js',
      'lib/sdk-firestore.js',
      'scripts/bind-host.cjs',
      'test/function/count-costs.cjs',
    ]);
    const sdks =
      /node_modules\/(?:@google-cloud\/firestore|google-gax|@grpc|protobufjs|google-auth-library|firebase-admin)/;
    expect(loaded.filter((file) => sdks.test(file))).toEqual([]);
  });

  it(`reads no more than ${FILES} files until the first answer, and 5 %`, () => {
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.length).toBeLessThanOrEqual(FILES * TOLERANCE);
  });
});

async function ask({ baseUrl, key }: FunctionServer): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}

async function loadedBy(server: FunctionServer): Promise<string[]> {
  const lines = (): string[] => [...server.output().matchAll(/^COUNTED (.+)$/gm)].map(([, json = '']) => json);
  const before = lines().length;
  server.signal('SIGUSR2');
  while (lines().length === before) await pause(5);
  return JSON.parse(lines().at(-1) ?? '').loaded;
}
