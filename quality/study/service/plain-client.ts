import { setTimeout as pause } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { createParser } from 'eventsource-parser';
import * as z from 'zod';
import { type Client, type Outcome, reasonOf, type Server, Stopped } from './client.ts';

const BYTES_MAX = 4 * 1024 * 1024;
const TIME_MAX_MS = 600_000;
const TRIES = 10;
/** Nobody asks so much for an answer. */
const USD_MAX = 1_000;
const WAIT_USUAL_SECONDS = 5;
const WAIT_MAX_SECONDS = 60;
const REASON_MAX = 200;
const NANO = 1e9;
/** The key is refused, the account is empty, there is no such model: all requests would be. */
const STOPS_ALL: readonly unknown[] = [401, 402, 404];
const BUSY: readonly unknown[] = [429, 503];
/** Nobody is at that address. */
const NOBODY: readonly unknown[] = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

const text = z.string();
/** A text, or parts of which some are texts. */
const content = z
  .union([
    text,
    z.array(z.object({ text: text.catch('') })).transform((parts) => parts.map((part) => part.text).join('')),
  ])
  .catch('');
const said = z.object({ content }).optional().catch(undefined);
/** A reply, or a piece of one: nearly every field is missing or another on some server. */
const replySchema = z.object({
  choices: z.array(z.object({ delta: said, message: said })).catch([]),
  usage: z
    .object({ cost: z.number().nonnegative().max(USD_MAX).optional() })
    .optional()
    .catch(undefined),
  error: z
    .union([text, z.object({ message: text }).transform(({ message }) => message)])
    .optional()
    .catch(undefined),
});

/** The part of a reply that has come. */
interface Heard {
  readonly startedMs: number;
  /** The status of a refusal. */
  refused?: number;
  retryAfter?: string | null;
  answer: string;
  firstTextMs: number | null;
  /** US dollars, as the server tells it. */
  usd?: number;
  fault?: string;
}

interface Limits {
  /** The price of a call whose server tells none. */
  readonly callNanoUsd: number;
  readonly timeMaxMs?: number;
}

/**
 * Asks a server that speaks OpenAI's chat completions, of which nothing more is known: a run is one request, its cost is what the server
 * says (`usage.cost`) or unknown. A reply that is no answer, too long or too late is a fault of the run; what would stop every
 * request is thrown as `Stopped`.
 */
export function createPlainClient(server: Server, { callNanoUsd, timeMaxMs = TIME_MAX_MS }: Limits): Client {
  const costUsd = { low: callNanoUsd / NANO, high: callNanoUsd / NANO };
  return {
    plan: async ({ model }) => ({ calls: 1, costUsd, unpricedModels: [model] }),
    run: async ({ model }, prompt) => {
      const body = JSON.stringify({ model, messages: [{ role: 'user', content: prompt }], stream: true });
      let heard = await exchange(server, body, timeMaxMs);
      for (let left = TRIES - 1; BUSY.includes(heard.refused) && left > 0; left -= 1) {
        await pause(1_000 * waitSeconds(heard));
        heard = await exchange(server, body, timeMaxMs);
      }
      return outcomeOf(heard, server);
    },
    evaluate: async () => {
      throw new Stopped('failed', `The server at ${server.baseUrl} has no judges`);
    },
  };
}

function waitSeconds({ retryAfter }: Heard): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return seconds >= 0 ? Math.min(seconds, WAIT_MAX_SECONDS) : WAIT_USUAL_SECONDS;
}

/** Sends a request and hears the reply; a connection that breaks is a fault. */
async function exchange({ baseUrl, key }: Server, body: string, timeMaxMs: number): Promise<Heard> {
  const heard: Heard = { startedMs: performance.now(), answer: '', firstTextMs: null };
  const signal = AbortSignal.timeout(timeMaxMs);
  let response: Response | undefined;
  try {
    const headers = { 'content-type': 'application/json', ...(key !== '' && { authorization: `Bearer ${key}` }) };
    response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers, body, signal, redirect: 'error' });
    if (!response.ok)
      Object.assign(heard, { refused: response.status, retryAfter: response.headers.get('retry-after') });
    await listen(response, heard);
  } catch (error) {
    const reason = reasonOf(error);
    if (!response && NOBODY.includes(reason))
      throw new Stopped('failed', `The server at ${baseUrl} cannot be reached: ${reason}`);
    heard.fault ??= signal.aborted
      ? `no end within ${timeMaxMs / 1_000} seconds`
      : `the connection was lost: ${reason}`;
  }
  return heard;
}

function outcomeOf(heard: Heard, { baseUrl, key }: Server): Outcome {
  const { startedMs, answer, firstTextMs, usd, refused } = heard;
  const isRefused = refused !== undefined;
  const why = isRefused ? `refused (${refused}): ${heard.fault ?? ''}` : heard.fault;
  const fault = why === undefined ? noText(answer) : withoutKey(why, key);
  if (STOPS_ALL.includes(refused)) throw new Stopped('failed', `The server at ${baseUrl} ${fault}`);
  return {
    answer: fault === undefined ? answer : '',
    // Nobody is paid for a refusal.
    costNanoUsd: isRefused ? 0 : usd && Math.round(usd * NANO),
    isPriced: isRefused || usd !== undefined,
    ...{ calls: 1, firstTextMs, durationMs: performance.now() - startedMs },
    ...(fault !== undefined && { fault }),
  };
}

function noText(answer: string): string | undefined {
  return answer.trim() === '' ? 'no text came' : undefined;
}

/** Reads a reply to its end: events, or a whole of one piece, whatever its type is said to be. */
async function listen(response: Response, heard: Heard): Promise<void> {
  const decoder = new TextDecoder();
  const parser = createParser({ onEvent: ({ data }) => hear(heard, data) });
  let [whole, bytes] = ['', 0];
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > BYTES_MAX) {
      heard.fault = `the reply is longer than ${BYTES_MAX} bytes`;
      return;
    }
    const decoded = decoder.decode(piece, { stream: true });
    whole += decoded;
    parser.feed(decoded);
  }
  if (/^\s*\{/.test(whole)) hear(heard, whole);
  else if (!response.ok) heard.fault ??= whole;
}

/** Takes what an event says; one that is no reply says nothing. */
function hear(heard: Heard, data: string): void {
  const reply = replySchema.safeParse(parsed(data));
  if (!reply.success) return;
  const { choices, usage, error } = reply.data;
  const piece = choices[0]?.delta?.content || choices[0]?.message?.content || '';
  if (piece !== '') heard.firstTextMs ??= performance.now() - heard.startedMs;
  heard.answer += piece;
  if (error !== undefined) heard.fault = error;
  if (usage?.cost !== undefined) heard.usd = usage.cost;
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

/** Words of a server, for a file and a terminal; some repeat the key. */
function withoutKey(words: string, key: string): string {
  const plain = stripVTControlCharacters(words).replaceAll(/\s+/g, ' ').trim();
  return (key === '' ? plain : plain.replaceAll(key, '…')).slice(0, REASON_MAX);
}
