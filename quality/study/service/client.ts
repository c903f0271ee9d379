import { setTimeout as pause } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import type { ArmRequest } from '../run/arms.ts';
import { createShownTexts, type ShownTexts } from './shown-texts.ts';

/** The study cannot go on; the message says why, for people. */
export class Stopped extends Error {
  readonly why: 'cap' | 'interrupted' | 'failed';

  constructor(why: Stopped['why'], message: string) {
    super(message);
    this.why = why;
  }
}

/** The address of a service, and the key that it is asked with. */
export interface Server {
  readonly baseUrl: string;
  readonly key: string;
}

/** The outcome of a run. */
export interface Outcome {
  readonly answer: string;
  /** Undefined where the connection was lost before the service told it. */
  readonly costNanoUsd: number | undefined;
  readonly isPriced: boolean;
  readonly calls: number;
  readonly firstTextMs: number | null;
  readonly durationMs: number;
  /** Texts that the author of the answer was shown, where the service tells. */
  readonly shown?: readonly string[];
  readonly fault?: string;
}

/** Judges' scores of some responses, in their order. */
export interface EvaluationReply {
  readonly evaluations: readonly {
    readonly individualScores?: readonly { readonly judgeName: string; readonly overallScore: number }[];
  }[];
  readonly usage: { readonly total_cost: number };
}

/** The forecast of a run. */
export interface Plan {
  readonly calls: number;
  readonly costUsd: { readonly low: number; readonly high: number };
  readonly unpricedModels: readonly string[];
}

interface Chunk {
  readonly error?: string;
  readonly choices?: readonly { readonly delta?: { readonly content?: string } }[];
  readonly trace?: Parameters<ShownTexts['hear']>[0] & Partial<RunEnd>;
}

interface RunEnd {
  readonly costNanoUsd: number;
  readonly calls: number;
  readonly unpricedModels: readonly string[];
}

/** The part of a stream that has come. */
interface Heard {
  answer: string;
  firstTextMs: number | null;
  fault?: string;
  end?: RunEnd;
  readonly shown: ShownTexts;
}

const WAIT_USUAL_SECONDS = 5;
const CHAT = '/chat/completions';

/** Asks the service. What stops every request, such as a key that is refused, is thrown as `Stopped`. */
export function createClient(server: Server) {
  return {
    plan: (request: ArmRequest, prompt: string): Promise<Plan> => planOf(server, request, prompt),
    run: (request: ArmRequest, prompt: string): Promise<Outcome> => outcomeOf(server, request, prompt),
    evaluate: async (body: object): Promise<EvaluationReply> => {
      const response = await send(server, '/evaluations', body);
      return (await response.json()) as EvaluationReply;
    },
  };
}

export type Client = ReturnType<typeof createClient>;

async function planOf(server: Server, { model, ai_ensemble }: ArmRequest, prompt: string): Promise<Plan> {
  const body = { model, messages: asked(prompt), ai_ensemble: { ...ai_ensemble, dryRun: true } };
  return ((await (await send(server, CHAT, body)).json()) as { plan: Plan }).plan;
}

async function outcomeOf(server: Server, { model, ai_ensemble }: ArmRequest, prompt: string): Promise<Outcome> {
  const options = { ...ai_ensemble, includeTrace: true };
  const body = { model, messages: asked(prompt), stream: true, store: false, ai_ensemble: options };
  const { response, startedMs } = await sendTimed(server, CHAT, body);
  const heard = await listen(response, startedMs);
  const { costNanoUsd, calls = 0, unpricedModels = [] } = heard.end ?? {};
  const fault = heard.fault ?? (heard.end ? undefined : 'the connection was lost');
  return {
    answer: fault === undefined ? heard.answer : '',
    ...{ costNanoUsd, calls, isPriced: unpricedModels.length === 0 },
    firstTextMs: heard.firstTextMs,
    durationMs: performance.now() - startedMs,
    shown: heard.shown.texts(),
    ...(fault !== undefined && { fault }),
  };
}

function asked(prompt: string): object[] {
  return [{ role: 'user', content: prompt }];
}

/** Reads a stream to its end, whatever that is. */
async function listen(response: Response, startedMs: number): Promise<Heard> {
  const heard: Heard = { answer: '', firstTextMs: null, shown: createShownTexts() };
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== '[DONE]') hear(heard, JSON.parse(data), startedMs);
    },
  });
  try {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) parser.feed(piece);
  } catch {
    heard.fault ??= 'the connection was lost';
  }
  return heard;
}

function hear(heard: Heard, { error, choices, trace }: Chunk, startedMs: number): void {
  if (error !== undefined) heard.fault = error;
  const text = choices?.[0]?.delta?.content ?? '';
  if (text !== '') heard.firstTextMs ??= performance.now() - startedMs;
  heard.answer += text;
  if (trace) heard.shown.hear(trace);
  if (trace?.type === 'end') heard.end = trace as RunEnd;
}

async function send(server: Server, path: string, body: object): Promise<Response> {
  return (await sendTimed(server, path, body)).response;
}

/** Sends until the service takes it: it is asked again after the time that it says. */
async function sendTimed({ baseUrl, key }: Server, path: string, body: object) {
  for (;;) {
    const startedMs = performance.now();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) }).catch(
      (error: unknown) => {
        throw new Stopped('failed', `The server at ${baseUrl} cannot be reached: ${reasonOf(error)}`);
      },
    );
    if (response.ok) return { response, startedMs };
    const message = await messageOf(response);
    if (response.status === 403 && message.includes('budget')) throw new Stopped('cap', message);
    if (response.status !== 429 && response.status !== 503)
      throw new Stopped('failed', `The server refused (${response.status}): ${message}`);
    await pause(1_000 * (Number(response.headers.get('retry-after')) || WAIT_USUAL_SECONDS));
  }
}

/** The code of a failed connection, or its words. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string };
  return cause?.code ?? cause?.message ?? message;
}

async function messageOf(response: Response): Promise<string> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  } catch {
    return text.slice(0, 200);
  }
}
