import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { textOfTokens } from '../support/text-of-tokens';
import { until } from '../support/until';
import { type RunningServer, startServer } from './servers';

/** A server that is killed in the middle of a stream, and started again. */

interface Usage {
  readonly data: readonly { readonly n_requests: number; readonly total_tokens: number; readonly total_cost: number }[];
}

/** Resolves once the beginning of a kept run is on the disk. */
async function firstWriteIn(directory: string): Promise<void> {
  const db = new DatabaseSync(join(directory, 'ensemble.db'), { readOnly: true });
  const written = db.prepare('SELECT 1 FROM documents WHERE "to" IS NOT NULL');
  await until(() => written.get() !== undefined);
  db.close();
}

describe('a server killed in the middle of a stream', () => {
  let server: RunningServer;

  afterEach(() => server.stop());

  async function usage(): Promise<Usage> {
    const response = await fetch(`${server.baseUrl}/v1/usage`, { headers: { authorization: `Bearer ${server.key}` } });
    return (await response.json()) as Usage;
  }

  it('has the request in its ledger once it is back, with the prompt it was billed for, and tells how its trace ended', async () => {
    const crashed = await startServer();
    const response = await fetch(`${crashed.baseUrl}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${crashed.key}` },
      body: JSON.stringify({
        model: 'demo-ada',
        stream: true,
        ai_ensemble: { includeTrace: true },
        messages: [{ role: 'user', content: textOfTokens(100) }],
      }),
    });
    const reader = response.body?.getReader();
    let seen = '';
    while (!seen.includes('"content":"On')) seen += Buffer.from((await reader?.read())?.value ?? []).toString();
    await firstWriteIn(crashed.directory);
    await crashed.kill();

    server = await startServer({ env: { DATA_DIR: crashed.directory } });
    const runId = response.headers.get('x-request-id');
    const events = await fetch(`${server.baseUrl}/v1/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${server.key}` },
    });
    const [first, ...others] = (await events.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect(first).toContain('"type":"run"');
    expect(others.at(-1)).toContain(
      '"type":"end","outcome":"failed","message":"The server stopped before the run ended"',
    );
    // The client may have had events that were never written: its stream ends all the same.
    const resumed = await fetch(`${server.baseUrl}/v1/runs/${runId}/events`, {
      headers: { authorization: `Bearer ${server.key}`, 'last-event-id': '5000' },
    });
    const [last, ...more] = (await resumed.text()).split('\n').filter((line) => line.startsWith('data: '));
    expect([last, more]).toEqual([expect.stringContaining('"type":"end","outcome":"failed"'), []]);
    expect(last).toContain('"seq":5001');
    await until(async () => (await usage()).data.length > 0);
    const [record] = (await usage()).data;
    // 100 and 4 for the turn: 104 tokens of 100 nano-USD.
    expect(record).toMatchObject({ n_requests: 1, total_tokens: 104, total_cost: 0.0000104 });
  });
});
