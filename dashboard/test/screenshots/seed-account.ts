import type { App } from '../../../functions/test/support/app';
import { ask, LOCAL_USER } from '../../../functions/test/support/dashboard';
import { seedUsage } from '../support/usage';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const CALLS_A_MONTH = 12;
const MONTHS = ['2025-08', '2025-09', '2025-10', '2025-11', '2025-12', '2026-01'];
/** Cents and thousands of tokens of a usual month, by model. */
const MODELS = [
  { model: 'gpt-5.5', name: 'GPT-5.5', key: 'prod-backend', cents: 1_240, kiloTokens: 900 },
  { model: 'claude-opus-5-5', name: 'Claude Opus 5.5', key: 'prod-backend', cents: 980, kiloTokens: 610 },
  { model: 'gemini-3.1-pro-preview', name: 'Gemini 3.1 Pro', key: 'prod-backend', cents: 610, kiloTokens: 540 },
  { model: 'gpt-5.4-mini', name: 'GPT-5.4 mini', key: 'notebook', cents: 240, kiloTokens: 1_300 },
  { model: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', key: 'ci', cents: 160, kiloTokens: 420 },
  { model: 'llama3.2', name: 'Llama 3.2', key: 'ci', cents: 0, kiloTokens: 150 },
];

/** The models that the router lists. */
export const ROUTER_MODELS = [
  {
    id: 'qwen/qwen3-max',
    name: 'Qwen: Qwen3 Max',
    context_length: 256_000,
    architecture: { input_modalities: ['text'] },
    supported_parameters: ['tools'],
  },
  {
    id: 'mistralai/mistral-large',
    name: 'Mistral: Mistral Large',
    context_length: 128_000,
    architecture: { input_modalities: ['text', 'image'] },
    supported_parameters: ['tools'],
  },
  {
    id: 'deepseek/deepseek-r1',
    name: 'DeepSeek: R1',
    context_length: 164_000,
    architecture: { input_modalities: ['text'] },
    supported_parameters: [],
  },
];

/** An account as it looks after half a year of use. */
export async function seedAccount(app: App): Promise<void> {
  const { keys } = (await ask<{ keys: { id: string }[] }>(app, { path: 'keys' })).body;
  await ask(app, { method: 'DELETE', path: `keys/${keys[0]?.id}` });
  const inUse = await app.newKey(LOCAL_USER, 'prod-backend');
  const ci = await ask<{ id: string }>(app, { method: 'POST', path: 'keys', body: { name: 'ci' } });
  await app.newKey(LOCAL_USER, 'notebook', { budgetNanoUsd: 25e9, expiresAtMs: app.clock.nowMs() + 10 * DAY_MS });
  await app.clock.advance(4 * DAY_MS);
  await ask(app, { method: 'POST', path: `keys/${ci.body.id}/rotate`, body: { overlap: '24h' } });
  await app.complete({}, inUse);
  await app.clock.advance(2 * MINUTE_MS);
  await seedUsage(
    app,
    MONTHS.flatMap((month, at) =>
      MODELS.flatMap(({ model, name, key, cents, kiloTokens }, index) => {
        // Growing, and not evenly.
        const share =
          ((at + 2) / MONTHS.length) * (1 + ((at * 5 + index * 3) % 4) / 8) * (at === MONTHS.length - 1 ? 0.5 : 1);
        const [ofCall, tokens] = [cents, kiloTokens * 1_000].map((amount) =>
          Math.round((amount * share) / CALLS_A_MONTH),
        );
        return Array.from({ length: CALLS_A_MONTH }, () => ({
          month,
          model,
          name,
          key,
          cents: ofCall ?? 0,
          tokens: tokens ?? 0,
        }));
      }),
    ),
  );
  await ask(app, { method: 'PUT', path: 'router-key', body: { key: 'sk-or-v1-example-of-a-key-8f3a' } });
  await ask(app, { method: 'POST', path: 'router-models', body: { slugs: ROUTER_MODELS.map(({ id }) => id) } });
}
