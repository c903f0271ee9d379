import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { during } from '../support/during';
import { freePorts } from '../support/programs';
import { temporaryDirectory } from '../support/temporary-directory';
import { until } from '../support/until';

/** Output of `npm start` at its start, run by the program that it ends in. */

const FUNCTIONS = join(__dirname, '..', '..');
const KEY = 'sk-0123456789abcdefghij';

describe('the program behind npm start', () => {
  const directory = during('all', temporaryDirectory);
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill('SIGKILL'));

  /** All it says until a person can begin, or until it has ended. */
  async function said(env: Record<string, string>, ...args: string[]) {
    child?.kill('SIGKILL');
    const { port } = await freePorts('port');
    const settings = { PATH: process.env['PATH'], PORT: String(port), DATA_DIR: directory.path, ...env };
    const started = spawn(process.execPath, ['scripts/serve.mjs', ...args], { cwd: FUNCTIONS, env: settings });
    child = started;
    let output = '';
    return new Promise<{ output: string; code: number | null; port: number }>((resolve) => {
      for (const stream of [started.stdout, started.stderr]) {
        stream.on('data', (text) => {
          output += text;
          if (output.includes('\ncurl ')) resolve({ output, code: null, port });
        });
      }
      started.once('exit', (code) => resolve({ output, code, port }));
    });
  }

  it('tells who will answer and at whose cost: without a key, nobody’s', async () => {
    const { output, port } = await said({});
    expect(output).toContain('Ensemble API is ready with the built-in demo models');
    expect(output).toMatch(new RegExp(`^Dashboard: http://127\\.0\\.0\\.1:${port}/play\\?token=[\\w-]{32}$`, 'm'));
    expect(output).toContain(`Base URL:  http://127.0.0.1:${port}/v1\nAPI key:   sk-ens_`);
    expect(output).toContain(
      'Panel:     demo-ada, demo-blaise, demo-curie\nArbiter:   demo-ada\nPaid by:   nobody: the demo models are scripted\n',
    );
    expect(output).toContain(`Docs:      http://127.0.0.1:${port}/docs\n`);
  });

  /** The status of a request of the dashboard's, once a link was opened; and the link. */
  async function entered(output: string, link = /^Dashboard: (\S+)$/m.exec(output)?.[1] ?? '') {
    const { headers } = await fetch(link, { redirect: 'manual' });
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { status } = await fetch(new URL('/dashboard/keys', link), { headers: { cookie } });
    return { link, status, token: new URL(link).searchParams.get('token') ?? '' };
  }

  it('opens the dashboard with the link of this start alone, and says its secret nowhere else', async () => {
    const first = await said({ LOG_LEVEL: 'debug' });
    const { status, token } = await entered(first.output);
    expect(status).toBe(200);
    expect(first.output.split(token)).toHaveLength(2);
    const second = await said({});
    const old = `http://127.0.0.1:${second.port}/play?token=${token}`;
    expect([(await entered(second.output, old)).status, (await entered(second.output)).status]).toEqual([401, 200]);
  });

  it('opens it with a secret that is set, and refuses one that is easily guessed without repeating it', async () => {
    const DASHBOARD_SECRET = 'a-secret-of-my-own-that-I-keep-safe';
    const { output } = await said({ DASHBOARD_SECRET });
    expect(await entered(output)).toMatchObject({ status: 200, token: DASHBOARD_SECRET });
    const { output: refused, code } = await said({ DASHBOARD_SECRET: 'hunter2' });
    expect([code, refused]).toEqual([1, expect.stringMatching(/^DASHBOARD_SECRET must be 32 to 256 [^\n]+\n$/)]);
    expect(refused).not.toContain('hunter2');
  });

  const withOpener = process.platform === 'linux' ? it : it.skip;
  withOpener('opens it in a browser with --open, by a file that no other account of the machine can read', async () => {
    const opener = join(directory.path, 'xdg-open');
    const seen = join(directory.path, 'seen');
    const tell =
      '#!/bin/sh\n(echo "$@"; stat -c %a "$(dirname "$1")"; cat "$1") >"$0.part"; mv "$0.part" "$(dirname "$0")/seen"\n';
    writeFileSync(opener, tell, { mode: 0o755 });
    const { output } = await said({ PATH: `${directory.path}:${process.env['PATH']}` }, '--open');
    await until(() => existsSync(seen));
    const [words = '', mode, page] = readFileSync(seen, 'utf8').split('\n');
    const { link, token } = await entered(output);
    expect([mode, page]).toEqual(['700', expect.stringContaining(`0; url=${link}"`)]);
    expect(words).not.toContain(token);
    child?.kill('SIGTERM');
    await until(() => !existsSync(words));
  });

  it('names the setting of a key that happens to be in the shell, and never the key', async () => {
    const { output } = await said({
      ANTHROPIC_API_KEY: KEY,
      OPENAI_API_KEY: KEY,
      DEFAULT_PANEL: 'claude-haiku-4-5,own',
    });
    expect(output).toContain('Panel:     claude-haiku-4-5, own\nArbiter:   gpt-5.4-mini\n');
    expect(output).toContain('OpenAI, OPENAI_API_KEY in your shell; Anthropic, ANTHROPIC_API_KEY in your shell\n');
    expect(output).toContain('No price:  own: listed at cost 0');
    expect(output).not.toContain(KEY);
  });

  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux('ends at once, with a line, where the data directory cannot be made', async () => {
    const { output, code } = await said({ DATA_DIR: '/proc/ensemble' });
    expect(code).toBe(1);
    expect(output).toBe(
      'Cannot use /proc/ensemble/ensemble.db: no directory can be made there. Its directory is set by DATA_DIR\n',
    );
  });
});
