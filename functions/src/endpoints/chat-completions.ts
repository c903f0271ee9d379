import * as z from 'zod';
import { seatPanel } from '../ensemble/panel';
import type { EnsembleRequest } from '../ensemble/run';
import { DEFAULT_STRATEGY } from '../ensemble/strategy-names';
import { isRefusal } from '../errors';
import type { Sampling } from '../models/model';
import { completionBody } from './completion-body';
import type { ApiRequest, ChunkMeta, Reply, Route } from './endpoint';
import { json } from './endpoint';
import { type EnsembleOptions, ensembleOptionsSchema, reasoningSchema } from './ensemble-options';
import { messagesSchema } from './messages';
import { openRun } from './open-run';
import { objectOf, parseBody } from './parse';
import type { Services } from './services';
import { virtualModel } from './virtual-models';

const number = (min: number, max: number) => {
  const rule = `must be between ${min} and ${max}`;
  return z.number(rule).min(min, rule).max(max, rule).optional();
};
const positiveInteger = z
  .int('must be an integer greater than 0')
  .positive('must be an integer greater than 0')
  .optional();

/** The request (spec "ChatCompletionRequest"). Fields that are accepted without effect are not even looked at. */
const schema = objectOf(
  {
    model: z
      .string('must be a non-empty string')
      .regex(/\S/, 'must be a non-empty string')
      .max(200, 'at most 200 characters'),
    messages: messagesSchema,
    stream: z.boolean('must be a boolean').optional(),
    temperature: number(0, 2),
    top_p: number(0, 1),
    max_tokens: positiveInteger,
    max_completion_tokens: positiveInteger,
    reasoning: reasoningSchema.optional(),
    ai_ensemble: ensembleOptionsSchema.optional(),
  },
  'must be a JSON object',
);

type ChatRequest = z.infer<typeof schema>;

/** `POST /v1/chat/completions`: one prompt, several models, one answer. */
export function chatCompletions(services: Services): Route {
  return {
    method: 'POST',
    path: '/v1/chat/completions',
    limited: true,
    handle: async (request) => {
      const body = await request.readJson();
      if (isRefusal(body)) return body;
      const chat = parseBody(schema, body);
      return isRefusal(chat) ? chat : answer(services, request, chat);
    },
  };
}

async function answer(services: Services, request: ApiRequest, chat: ChatRequest): Promise<Reply> {
  const run = await openRun(services, request, {
    endpoint: 'chat.completions',
    ensemble: ensembleRequest(services, chat),
  });
  if (isRefusal(run)) return run;
  const meta: ChunkMeta = {
    id: `chatcmpl-${request.startedAtMs}`,
    created: Math.floor(request.startedAtMs / 1000),
    model: chat.model,
  };
  if (chat.stream === true) return { kind: 'stream', meta, ...run };
  const collected = await run.collect();
  return isRefusal(collected) ? collected : json(completionBody(meta, collected), run.headers);
}

/** The run a chat request asks for: `ai_ensemble` overrides what a virtual model id stands for. */
function ensembleRequest(services: Services, chat: ChatRequest): EnsembleRequest {
  const options: EnsembleOptions = chat.ai_ensemble ?? NO_OPTIONS;
  const virtual = virtualModel(chat.model);
  const arbiter = virtual ? services.defaultModel : chat.model;
  const participants = options.models.length > 0 ? options.models : virtual ? services.defaultPanel : [];
  const systemPrompt = options.systemPrompt ?? chat.messages.systemPrompt;
  return {
    strategy: options.strategy ?? virtual?.strategy ?? DEFAULT_STRATEGY,
    rounds: options.rounds,
    panel: seatPanel(arbiter, participants),
    prompt: chat.messages.prompt,
    history: chat.messages.history,
    sampling: samplingOf(chat),
    includeCandidates: options.includeCandidates,
    includeExplanation: options.includeExplanation ?? chat.reasoning?.effort !== undefined,
    includeFollowUps: options.includeFollowUps,
    ...(systemPrompt !== undefined && { systemPrompt }),
  };
}

const NO_OPTIONS: EnsembleOptions = { rounds: 1, models: [], includeFollowUps: false, includeCandidates: false };

function samplingOf({ temperature, top_p }: ChatRequest): Sampling {
  return { ...(temperature !== undefined && { temperature }), ...(top_p !== undefined && { topP: top_p }) };
}
