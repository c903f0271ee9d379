// The first user of a deployment: made with the operator's commands, in the deployment's database and with its pepper.
import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

const USER = 'owner';
const ANSWER_TIMEOUT_MS = 120_000;
const PUBLIC_TIMEOUT_MS = 60_000;

/** Makes the user and a key; without the key when the user has one, as after an interrupted run. */
export async function makeFirstUser(env) {
  const keys = await admin(env, ['keys', 'list', '--user', USER]);
  if (keys.length > 0) return { user: USER, keyId: keys[0].id };
  await admin(env, ['subscriptions', 'set', '--user', USER, '--tier', 'pro', '--status', 'active']);
  return { user: USER, key: (await admin(env, ['keys', 'create', '--user', USER, '--name', 'first'])).key };
}

async function admin(env, words) {
  const args = ['lib/admin.js', '--store', 'firestore', '--json', ...words];
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
}

/** One question to the deployment: the answer, or the sentence that says what is wrong. */
export async function firstRequest(baseUrl, key) {
  const giveUpAtMs = Date.now() + PUBLIC_TIMEOUT_MS;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ model: 'ensemble', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] });
  for (;;) {
    const signal = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body, signal });
    const text = await response.text();
    if (response.ok) return { answer: JSON.parse(text).choices[0].message.content };
    // Until the permission to call it has spread, Google's front end answers in place of the function.
    if (response.headers.has('x-request-id') || Date.now() > giveUpAtMs) {
      return { problem: `the first request was answered with ${response.status}: ${text.slice(0, 300)}` };
    }
    await pause(2_000);
  }
}
