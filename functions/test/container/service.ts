import { textOfTokens } from '../support/text-of-tokens';
import type { Container } from './container';

/** The operator's commands in the image. */
export const ADMIN = ['node', 'lib/admin.js'];

/** A user and a key, as the documentation makes the first ones. */
export async function firstKey(container: Container): Promise<string> {
  const plan = ['--user', 'alice', '--tier', 'pro', '--status', 'active'];
  await container.exec(...ADMIN, 'subscriptions', 'set', ...plan);
  const { stdout } = await container.exec(...ADMIN, 'keys', 'create', '--user', 'alice', '--name', 'laptop', '--json');
  return (JSON.parse(stdout) as { key: string }).key;
}

/** Sends a message of 100 tokens. */
export function chat({ baseUrl }: Container, key: string, fields: object): Promise<Response> {
  return fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ messages: [{ role: 'user', content: textOfTokens(100) }], ...fields }),
  });
}

/** What the owner of a key has used this month. */
export async function usage({ baseUrl }: Container, key: string): Promise<object[]> {
  const month = new Date().toISOString().slice(0, 7);
  const range = `start_date=${month}-01&end_date=${month}-28`;
  const reply = await fetch(`${baseUrl}/v1/usage?${range}`, { headers: { authorization: `Bearer ${key}` } });
  const { data } = (await reply.json()) as { data: object[] };
  return data.map((totals) => ({ ...totals, aggregation_timestamp: 'when it was asked for' }));
}
