// Lets clients of others ask the service: each is installed on first use, asks a service of its own whose models are
// scripted, and gets a line that says what came of it.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, promisify } from 'node:util';
import { startService } from '../scripts/service.mts';
import { BREAKING_QUESTION, QUESTION, WEATHER_QUESTION } from './attempt.mjs';
import { CLIENTS } from './clients.mjs';
import { install, NotInstalled, versionIn } from './install.mjs';
import { ANSWERS, startUpstream } from './upstream.mjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const PATIENCE_MS = 600_000;
// The one provider is the scripted one, whatever is set where this is started.
const NO_KEYS = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '', DEFAULT_PANEL: 'adviser-1,adviser-2', MODEL_OVERRIDES: '' };

const asked = process.argv.slice(2);
const names = asked.includes('all') ? Object.keys(CLIENTS) : asked;
const unknown = names.filter((name) => !Object.hasOwn(CLIENTS, name));
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown: ${unknown.join(', ')}`);
  console.error(`Usage: npm run clients -- NAME …, or all. Names: ${Object.keys(CLIENTS).join(', ')}`);
  process.exit(1);
}
for (const name of names) {
  const { title, package: packageName } = CLIENTS[name];
  const said = await outcomeOf(name).catch(flawIn);
  if (said.startsWith('does not work')) process.exitCode = 1;
  console.log(`${title} (${packageName} ${versionIn(join(HERE, name), packageName)}) ${said}`);
}

async function outcomeOf(name) {
  const attempts = await attemptsOf(install(join(HERE, name)));
  const failed = attempts.filter((one) => !isAsItShouldBe(one));
  if (attempts.length === 0) throw new Error('its script tried nothing');
  if (failed.length === 0) return `works: ${attempts.map(({ tried }) => tried).join('; ')}`;
  throw new Error(failed.map(flawOf).join('; '));
}

function flawIn(error) {
  return `${error instanceof NotInstalled ? 'was not tried' : 'does not work'}, because ${error.message}`;
}

async function attemptsOf([command, ...words]) {
  const upstream = await startUpstream();
  let service;
  try {
    service = await startService({ ...NO_KEYS, OPENAI_BASE_URL: upstream.url, DEFAULT_MODEL: 'scripted', RATE_LIMIT_RPM: '100' });
    const place = { BASE_URL: service.baseUrl, API_KEY: service.key, CALLS_URL: upstream.callsUrl, PYTHONPATH: HERE };
    const asked = { QUESTION, WEATHER_QUESTION, BREAKING_QUESTION };
    const options = { env: { ...process.env, ...place, ...asked }, timeout: PATIENCE_MS, maxBuffer: 2 ** 26 };
    const { stdout } = await promisify(execFile)(command, words, options).catch(said);
    const lines = stdout.split('\n').filter((line) => line.startsWith('{"tried":'));
    return lines.map((line) => JSON.parse(line));
  } finally {
    await service?.stop();
    upstream.close();
  }
}

function said({ stderr = '', message }) {
  throw new Error(stderr.trim().split('\n').at(-1) || message);
}

function isAsItShouldBe({ kind, outcome, calls, made }) {
  // Clients put words of their own before those of a fault.
  const isRight = kind === 'fault' ? outcome.includes(ANSWERS.fault) : isDeepStrictEqual(outcome, ANSWERS[kind]);
  return isRight && calls === made;
}

function flawOf({ tried, outcome, calls, made }) {
  return calls === made ? `${tried} gave ${JSON.stringify(outcome)}` : `${tried} made ${made} calls, not ${calls}`;
}
