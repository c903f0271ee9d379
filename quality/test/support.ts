import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FinishedRun } from '../study/finished-run.ts';

/** A run with these fields, right and cheap unless they say otherwise. */
export function finishedRun(fields: Partial<FinishedRun>): FinishedRun {
  return {
    ...{ task: 't1', arm: 'single a', repeat: 1, sample: 0, answer: 'Answer: 1', isRight: true, hasForm: true },
    ...{ falseFacts: 0, costNanoUsd: 1_000_000, isPriced: true, calls: 1, firstTextMs: 100, durationMs: 200 },
    ...fields,
  };
}

/** A new empty directory, which goes at the end of the block. */
export function temporaryDirectory(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'ensemble-quality-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A call as a provider receives it. */
export interface ProviderCall {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The usage of every call. */
const USAGE = { prompt_tokens: 2_000, completion_tokens: 1_000 };

/** A provider of models with these ids, on the wire of OpenAI, and the settings with which the service asks it alone. */
export async function startProvider(
  ids: readonly string[],
  { reply, more = {} }: { reply(call: ProviderCall): string; readonly more?: object },
) {
  const server = createServer(async (request, response) => {
    const content = reply(JSON.parse(await text(request)) as ProviderCall);
    const events = [
      { choices: [{ index: 0, delta: { content } }] },
      { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { choices: [], usage: USAGE },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const models = ids.map((id) => ({ id, provider: 'openai', contextTokens: 32_000, ...more }));
  const settings = {
    ...{ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: url, ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '' },
    ...{ MODEL_OVERRIDES: JSON.stringify({ models }), DEFAULT_MODEL: '', DEFAULT_PANEL: '', MODELS_ALLOWED: '' },
    ...{ STORE: '', TELEMETRY_MODULE: '', UNPRICED: '', KEY_PEPPER: '' },
  };
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { settings, close, [Symbol.dispose]: close };
}
