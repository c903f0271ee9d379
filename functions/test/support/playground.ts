import { playable, wholeReply } from '../../src/api/answer/replies';
import { openPlaygroundRun, PlaygroundRequest } from '../../src/api/playground/playground';
import type { EnsembleResult } from '../../src/ensemble/open-ensemble';
import { isRefusal, type Refusal } from '../../src/errors';
import { newId } from '../../src/lib/clock';
import type { Admitted } from '../../src/runs/admit';
import type { Finished } from '../../src/runs/run';
import { traceRequest } from '../../src/telemetry/request-trace';
import { type App, CHAT } from './app';
import { event, type Reply, sendEvents, sendStatus } from './fake-upstream';

/** The result of a finished run. */
type PlaygroundAnswer = Omit<Finished<EnsembleResult>, 'result'> & EnsembleResult & { readonly content: string };

/** The dashboard's playground as its route will use it. */
export type Playground = ReturnType<typeof playgroundOf>;

/** The user that runs are made for. */
export const UMA = 'uma';

export function playgroundOf({ container: { account, clock } }: Pick<App, 'container'>) {
  /** Admits a run: these fields over those of the smallest good request. */
  const open = (
    fields: Record<string, unknown> = {},
    userId = UMA,
    clientGone = new AbortController().signal,
  ): Promise<Admitted<EnsembleResult> | Refusal> =>
    openPlaygroundRun(account, {
      id: newId(clock),
      userId,
      startedAtMs: clock.nowMs(),
      fields: PlaygroundRequest.parse({ ...CHAT, ...fields }),
      clientGone,
      trace: traceRequest(account.log, { requestId: 'playground', method: 'POST', path: '/playground', headers: {} }),
    });
  return {
    open,
    /** Admits it and plays it to its end; throws the text of a refusal. */
    run: async (fields?: Record<string, unknown>, userId?: string): Promise<PlaygroundAnswer> => {
      const ended = await play(await open(fields, userId));
      if ('text' in ended) throw new Error(ended.text);
      return ended;
    },
    /** The text of the refusal that must come; throws when there is none. */
    refusal: async (fields?: Record<string, unknown>, userId?: string): Promise<string> => {
      const ended = await play(await open(fields, userId));
      if (!('text' in ended)) throw new Error('the run was not refused');
      return ended.text;
    },
  };
}

/** Plays an admitted run to its end; `text` says why there is none, or how it failed. */
export async function play(
  admitted: Admitted<EnsembleResult> | Refusal,
): Promise<PlaygroundAnswer | { readonly text: string }> {
  if (isRefusal(admitted)) return admitted;
  const reply = await wholeReply(playable(admitted), ({ result, totals }, content) => ({ ...result, totals, content }));
  return isRefusal(reply) ? reply : (reply.body as PlaygroundAnswer);
}

/** The router's list: a model that sees and has tools, and one that has neither. */
export const ROUTER_LIST = {
  data: [
    {
      id: 'owl/eagle-1',
      name: 'Owl: Eagle 1',
      context_length: 200_000,
      architecture: { input_modalities: ['text', 'image'] },
      supported_parameters: ['tools', 'temperature'],
    },
    {
      id: 'owl/mole-2:free',
      name: 'Owl: Mole 2 (free)',
      context_length: 32_000,
      architecture: { input_modalities: ['text'] },
      supported_parameters: ['temperature'],
    },
  ],
};

/** The router answers with its list. */
export const sendRouterList: Reply = sendStatus(200, ROUTER_LIST);

/** The router answers a completion in one piece of text, with 100 + 50 tokens used. */
export function sendAnswer(text: string): Reply {
  const said = { choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
  const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50 } };
  return sendEvents(`${event(said)}${event(usage)}data: [DONE]\n\n`);
}
