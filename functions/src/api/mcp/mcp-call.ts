import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { Fault, isRefusal, type Refusal, refuse } from '../../errors';
import type { ApiRequest } from '../../http/route';
import type { SpendTotals } from '../../ledger/request-ledger';
import type { Clock } from '../../lib/clock';
import { formatUsd } from '../../lib/usd';
import type { EndpointDeps } from '../deps';

/** Clients end a call that they hear nothing of, most of them after a minute. */
const SILENCE_MS = 10_000;

/** A longer token is none: it comes back with every message. */
const TOKEN_CHARACTERS_MAX = 200;

/** A call of a tool, as the tool has it. */
export interface McpCall {
  readonly deps: EndpointDeps;
  readonly request: ApiRequest;
  /** Tells the client what the call is at, in words for people. */
  tell(message: string): void;
}

/** Does the work of a tool, a refusal being a result, too. Never rejects: the SDK would show its client any error's own words. */
export async function playCall(
  { deps, request }: Omit<McpCall, 'tell'>,
  context: ServerContext,
  work: (call: McpCall) => Promise<CallToolResult | Refusal>,
): Promise<CallToolResult> {
  const progress = progressOf(deps.clock, context);
  const result = await work({ deps, request, tell: progress.tell }).catch((error: unknown): Refusal => {
    deps.log.error('request failed', request.trace.where, error);
    return error instanceof Fault ? refuse(error.code, error.publicText, error.headers) : refuse('internal');
  });
  progress.end();
  return isRefusal(result) ? refusedResult(result) : result;
}

/** Progress notifications of a call whose client wants any: each message, again in every silence. */
function progressOf(clock: Clock, { mcpReq: { _meta: meta, notify } }: ServerContext) {
  const progressToken = meta?.progressToken;
  const isWanted = progressToken !== undefined && `${progressToken}`.length <= TOKEN_CHARACTERS_MAX;
  let count = 0;
  let end = (): void => undefined;
  const tell = (message: string): void => {
    if (!isWanted) return;
    end();
    count += 1;
    const params = { progressToken, progress: count, message };
    // A client that has left is told nothing.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
    end = clock.after(SILENCE_MS, () => tell(message));
  };
  return { tell, end: () => end() };
}

/** A result of texts, of which a client's model reads all. */
export function textResult(...texts: readonly string[]): CallToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })) };
}

/** A refusal in words; its client's model names fields as the tool does. */
function refusedResult({ text, headers }: Refusal): CallToolResult {
  const seconds = headers?.['retry-after'];
  const words = text.replace('ai_ensemble.', '');
  return { ...textResult(seconds ? `${words} (try again in ${seconds} seconds)` : words), isError: true };
}

/** Price of a call, in one sentence. */
export function costSentence({ costNanoUsd, calls, unpricedModels }: SpendTotals): string {
  const unpriced = unpricedModels.length > 0 ? `, without ${unpricedModels.join(', ')}, of unknown price` : '';
  return `This call cost ${formatUsd(Math.round(costNanoUsd))} for ${calls} model calls${unpriced}.`;
}
