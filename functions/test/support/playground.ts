import { openPlaygroundRun } from '../../src/account/playground';
import { playgroundSchema } from '../../src/account/playground-request';
import type { Collected, OpenRun } from '../../src/endpoints/open-run';
import { isRefusal, type Refusal } from '../../src/errors';
import { newId } from '../../src/lib/clock';
import { traceRequest } from '../../src/lib/request-trace';
import { type Reply, sendEvents, sendStatus } from './fake-upstream';
import type { TestApp } from './test-app';

/** The dashboard's playground as its route will use it. */
export interface Playground {
  /** Admits a run over a model and one user message. */
  open(fields?: Record<string, unknown>, userId?: string): Promise<OpenRun | Refusal>;
  /** Admits it and plays it to its end; throws the text of a refusal. */
  run(fields?: Record<string, unknown>, userId?: string): Promise<Collected>;
  /** The text of the refusal that must come; throws when there is none. */
  refusal(fields?: Record<string, unknown>, userId?: string): Promise<string>;
}

/** The user that runs are made for. */
export const UMA = 'uma';

export function playgroundOf({ container }: Pick<TestApp, 'container'>): Playground {
  const { account, clock } = container;
  const open: Playground['open'] = (fields = {}, userId = UMA) =>
    openPlaygroundRun(account, {
      id: newId(clock),
      userId,
      startedAtMs: clock.nowMs(),
      fields: playgroundSchema.parse({ ...QUESTION, ...fields }),
      clientGone: new AbortController().signal,
      trace: traceRequest(account.log, { requestId: 'playground', method: 'POST', path: '/playground', headers: {} }),
    });
  return {
    open,
    run: async (fields, userId) => {
      const opened = await open(fields, userId);
      const result = isRefusal(opened) ? opened : await opened.collect();
      if (isRefusal(result)) throw new Error(result.text);
      return result;
    },
    refusal: async (fields, userId) => {
      const opened = await open(fields, userId);
      const result = isRefusal(opened) ? opened : await opened.collect();
      if (!isRefusal(result)) throw new Error('the run was not refused');
      return result.text;
    },
  };
}

const QUESTION = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };

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
  const chunk = { choices: [{ index: 0, delta: { content: text }, finish_reason: 'stop' }] };
  const usage = { choices: [], usage: { prompt_tokens: 100, completion_tokens: 50 } };
  return sendEvents(`data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify(usage)}\n\ndata: [DONE]\n\n`);
}
