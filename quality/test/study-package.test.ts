import { spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { readKept } from '../study/run/journal.ts';
import { findServer } from '../study/service/find-server.ts';
import { createPlainClient } from '../study/service/plain-client.ts';
import { makeTasks } from '../tasks/make-tasks.ts';
import { temporaryDirectory } from './support.ts';

/** The package by itself, on servers that speak chat completions and nothing more, each in its own way. */

const PACKAGE = join(__dirname, '..');
const KEY = 'key-of-a-server-1234';
const OTHER_KEY = 'key-of-another-5678';

/** The description that the product serves; of another package, so no type of ours. */
const DESCRIPTION: string = '../../functions/src/api/openapi/document';

/** A reply of a scripted server to the words of a user. */
type Reply = (response: ServerResponse, words: string) => void;

const event = (value: unknown): string => `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
const delta = (content: unknown): object => ({ choices: [{ delta: { content } }] });
const inEvents =
  (...values: unknown[]): Reply =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(values.map(event).join(''));
const inOnePiece =
  (body: unknown, status = 200, headers = {}): Reply =>
  (response) =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));

/** A server that knows no field but those of its first day, and refuses what else it is sent. */
async function startServer(key: string, replies: Readonly<Record<string, Reply>>) {
  let calls = 0;
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/chat/completions') return inOnePiece('<h1>404</h1>', 404)(response, '');
    calls += 1;
    const { model, messages, stream, ...more } = JSON.parse(await text(request));
    const isKnown = request.headers.authorization === `Bearer ${key}`;
    if (!isKnown)
      return inOnePiece({ error: { message: `${request.headers.authorization} is no key` } }, 401)(response, '');
    if (stream !== true || Object.keys(more).length > 0) return inOnePiece('unknown field', 422)(response, '');
    return replies[model]?.(response, messages[0].content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, baseUrl: `http://${host}/v1`, calls: () => calls, [Symbol.dispose]: close };
}

function start(folder: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { INIT_CWD: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: folder, env: { ...env, OTHER_KEY, ...more } });
  const output = Promise.all([text(child.stdout), text(child.stderr)]).then((both) => both.join('\n'));
  return new Promise<number | null>((resolve) => child.once('close', resolve)).then(async (code) => ({
    code,
    output: await output,
  }));
}

/** The package where nothing else of the product is. */
function copied(folder: string): string {
  for (const part of ['study', 'tasks', 'package.json', 'start.mjs'])
    cpSync(join(PACKAGE, part), join(folder, part), { recursive: true });
  symlinkSync(join(PACKAGE, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

const TASKS = { seed: 1, count: 6, kinds: ['arithmetic'] } as const;
const tasks = makeTasks({ ...TASKS, kinds: [...TASKS.kinds] });
const answerTo = (words: string, isRight: (index: number) => boolean): string => {
  const index = tasks.findIndex(({ prompt }) => prompt === words);
  return (isRight(index) ? tasks[index]?.expected : tasks[index]?.wrong[0]) ?? '';
};

it('plays, stops at its cap and goes on with an arm of a second server, of which nothing but chat completions is known', async () => {
  using directory = temporaryDirectory();
  let busy = 1;
  using server = await startServer(KEY, {
    early: (response, words) => inEvents(delta(answerTo(words, (index) => index < 3)))(response, words),
    late: (response, words) => {
      const content = answerTo(words, (index) => index >= 2);
      inOnePiece({ choices: [{ message: { content } }] })(response, words);
    },
    refusing: inOnePiece({ error: 'too many letters' }, 400),
  });
  using other = await startServer(OTHER_KEY, {
    'a@mixture': (response, words) => {
      busy -= 1;
      if (busy === 0) return inOnePiece('', 429, { 'retry-after': '0' })(response, words);
      const all = answerTo(words, () => true);
      inEvents(
        delta([{ type: 'text', text: all }]),
        { choices: [], usage: { cost: 0.002 } },
        '[DONE]',
      )(response, words);
    },
  });
  const folder = copied(directory.path);
  const command = (...more: string[]) =>
    start(folder, [
      ...[
        'start.mjs',
        '--url',
        `http://${server.host}`,
        '--key',
        KEY,
        '--panel',
        'early,late',
        '--arbiter',
        'refusing',
      ],
      ...[
        '--arm',
        `other=a@mixture@${other.baseUrl}/#OTHER_KEY`,
        '--tasks',
        '6',
        '--kinds',
        'arithmetic',
        '--repeats',
        '1',
      ],
      ...['--usd-per-call', '0.01', '--at-once', '1', '--out', 'out', ...more],
    ]);

  const unasked = await command('--max-usd', '1');
  expect(unasked.output).toContain(
    'There is no Ensemble API at --url: its models are asked alone, without strategies.',
  );
  expect(unasked.output).toContain('\n24 runs.\nA call counts as $0.01 (--usd-per-call)');
  expect([unasked.code, server.calls() + other.calls()]).toEqual([2, 0]);

  // Five answers, and what is refused costs nothing.
  const capped = await command('--max-usd', '0.05', '--yes');
  expect([capped.code, capped.output]).toEqual([0, expect.stringContaining('The study is not complete')]);
  const out = join(folder, 'out');
  const answered = [...readKept(out).runs.values()].filter(({ fault }) => fault === undefined);
  expect([answered.length, readKept(out).spentNanoUsd]).toEqual([5, 50_000_000]);

  const last = await command('--max-usd', '1', '--yes');
  expect(last.code).toBe(0);
  // All once, and one twice that was told to come again.
  expect([server.calls(), other.calls()]).toEqual([18, 7]);
  expect(readKept(out).spentNanoUsd).toBe(12 * 10_000_000 + 6 * 2_000_000);
  const lines = readFileSync(join(out, 'table.jsonl'), 'utf8').trim().split('\n');
  const rows = Object.fromEntries(lines.map((line) => JSON.parse(line)).map((row) => [row.arm, row]));
  expect(rows).toMatchObject({
    'single early': { correct: { mean: 0.5 }, kind: 'single' },
    'single late': { correct: { mean: expect.closeTo(2 / 3, 10) } },
    'single refusing': { correct: { mean: 0 }, faults: 6 },
    other: { correct: { mean: 1 }, kind: 'external', usdPerCorrect: expect.closeTo(0.002, 10) },
  });
  expect(Object.keys(rows)).toHaveLength(4);
  const report = readFileSync(join(out, 'report.md'), 'utf8');
  expect(report).toContain(`- Server: ${server.host}, which is asked for chat completions alone`);
  expect(report).toContain(`- Arm other: a@mixture at ${other.host}`);
  expect(report).toMatch(/^\| other \| 100\.0 .* \| \$0\.00200 \| .* \| – \|$/m);
  expect(report).toMatch(/all 3 together cannot pass 100\.0 %/);
  for (const file of readdirSync(out)) expect(readFileSync(join(out, file), 'utf8')).not.toMatch(/key-of-a/);
  expect((await command('--max-usd', '1', '--yes')).output).toContain('\n0 runs.\n');
  expect((await start(folder, ['start.mjs', '--advise', '--out', 'out'])).output).toContain(
    'Of another server, so not advised on: other (100.0 % correct, $0.00200 an answer).',
  );
});

it.each([
  [{}, [], 1, 'This needs Node 24 or later, and runs on 22.11.0'],
  [{}, ['--panel', 'a', '--arbiter', 'b', '--max-usd', '1'], 2, '--url is required: there is no service beside'],
  [
    { OTHER_KEY: '' },
    ['--arm', 'o=m@http://h#OTHER_KEY'],
    2,
    '--arm o needs its key in the environment variable OTHER_KEY',
  ],
])('by itself it says what it needs: %j %j', async (env, args, code, words) => {
  using directory = temporaryDirectory();
  using server = await startServer(KEY, {});
  const older = 'data:text/javascript,Object.defineProperty(process, "versions", { value: { node: "22.11.0" } })';
  const url = ['--url', server.baseUrl, '--key', KEY, '--panel', 'a', '--arbiter', 'b', '--max-usd', '1'];
  const program = args.length === 0 ? ['--import', older, 'start.mjs'] : ['start.mjs'];
  const found = await start(copied(directory.path), [...program, ...(args.includes('--arm') ? url : []), ...args], env);
  expect(found).toEqual({ code, output: expect.stringContaining(words) });
});

const ENDLESS: Reply = (response) => {
  response.writeHead(200);
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(65_536)));
  };
  response.on('drain', more);
  more();
};

it.each<[string, Reply, object]>([
  [
    'whole words in odd events',
    inEvents('no JSON', {}, { choices: null }, delta(null), delta('7'), { id: 7 }),
    { answer: '7' },
  ],
  ['a cost that nobody asks', inEvents(delta('7'), { usage: { cost: 1e300 } }), { answer: '7', isPriced: false }],
  ['a cost of -1', inEvents(delta('7'), { usage: { cost: -1 } }), { costNanoUsd: undefined, isPriced: false }],
  ['nothing', inEvents('[DONE]'), { answer: '', fault: 'no text came' }],
  ['a page', inOnePiece('<html>Welcome</html>'), { answer: '', fault: 'no text came' }],
  [
    'a failure behind its text',
    inEvents(delta('7'), { error: { message: 'out of\u001b[2J luck' } }),
    { answer: '', fault: 'out of luck' },
  ],
  ['a refusal with the key', inOnePiece(`no ${KEY}!`, 403), { fault: 'refused (403): no …!', costNanoUsd: 0 }],
  [
    'a redirection',
    inOnePiece('', 307, { location: 'http://127.0.0.1:1/' }),
    { fault: expect.stringMatching(/^the connection was lost: .*redirect/) },
  ],
  [
    'a broken connection',
    (response) => response.destroy(),
    { fault: expect.stringMatching(/^the connection was lost: /) },
  ],
  [
    'no end',
    (response) => response.writeHead(200).write(event(delta('7'))),
    { answer: '', fault: 'no end within 2 seconds' },
  ],
  ['an endless line', ENDLESS, { answer: '', fault: 'the reply is longer than 4194304 bytes' }],
])('a reply of %s has an outcome of its own', async (_, reply, outcome) => {
  using server = await startServer(KEY, { m: reply });
  const client = createPlainClient({ baseUrl: server.baseUrl, key: KEY }, { callNanoUsd: 0, timeMaxMs: 2_000 });
  expect(await client.run({ model: 'm', ai_ensemble: {} }, '7?')).toMatchObject({ calls: 1, ...outcome });
});

it('is stopped by what would refuse every request, and tells no key', async () => {
  using server = await startServer(KEY, {});
  const ask = (baseUrl: string) =>
    createPlainClient({ baseUrl, key: 'wrong' }, { callNanoUsd: 0 }).run({ model: 'm', ai_ensemble: {} }, '7?');
  const refused = { why: 'failed', message: `The server at ${server.baseUrl} refused (401): Bearer … is no key` };
  await expect(ask(server.baseUrl)).rejects.toMatchObject(refused);
  const { baseUrl: left } = server;
  server[Symbol.dispose]();
  await expect(ask(left)).rejects.toThrow(/cannot be reached: /);
});

it('knows the product by its own description, with and without /v1, and no other server for it', async () => {
  const { openApi } = await import(DESCRIPTION);
  const { bytes } = await openApi().handle();
  const server = createServer((request, response) => {
    const isOurs = request.url === '/v1/openapi.json';
    response.writeHead(isOurs && request.headers.authorization === undefined ? 200 : 404).end(isOurs ? bytes : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found = await Promise.all(
    ['/v1', '', '/openai/v1'].map((path) => findServer({ baseUrl: base + path, key: 'k' })),
  );
  expect(found).toMatchObject([
    { baseUrl: `${base}/v1`, isProduct: true },
    { baseUrl: `${base}/v1`, isProduct: true },
    { baseUrl: `${base}/openai/v1`, isProduct: false },
  ]);
  server.closeAllConnections();
  server.close();
});
