/* `POST /mcp`: the Model Context Protocol over HTTP, without sessions, by its official SDK, which is loaded when it is first asked for. */
import * as z from 'zod';
import { isRefusal, refuse } from '../../errors';
import type { Reply, StreamReply } from '../../http/reply';
import type { ApiRequest } from '../../http/route';
import { always, named } from '../../lib/reply-schemas';
import type { EndpointDeps } from '../deps';
import { JsonRpcError } from '../shared/error-schemas';
import type { KeyOperation } from '../shared/operation';
import { playCall } from './mcp-call';
import { registerTools } from './tools';

/** Arguments of a tool have this many values at most: each wrong one becomes a sentence. */
const ARGUMENT_VALUES_MAX = 100;
const SERVER = { name: 'ensemble', title: 'Ensemble', version: '1.0.0' };
/** Read by the models of clients. */
const INSTRUCTIONS = `Several language models answer one question together. Use \`ask\` for what is hard, disputed or costly to get wrong; \`plan\` tells what the same call would cost and calls no model; \`evaluate\` has texts scored by independent judges. Nothing is remembered between calls: send all that matters each time.`;

const NO_BATCH = 'Invalid Request: batches are not supported, send one message at a time';

const messageId = z.union([z.string(), z.number()]);
const McpMessage = z
  .object({
    jsonrpc: z.literal('2.0'),
    id: messageId.optional().describe('Absent in a notification, which is answered by a 202.'),
    method: z.string().describe('Such as `initialize`, `tools/list` or `tools/call`.'),
    params: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'McpMessage' });
const McpReply = named('McpReply', () =>
  z.object({ jsonrpc: always('2.0'), id: messageId, result: z.record(z.string(), z.unknown()) }),
);

/** One message of an MCP client, answered by itself. */
export const postMcpMessage: KeyOperation = {
  at: 'POST /mcp',
  endpoint: 'mcp',
  id: 'postMcpMessage',
  tag: 'MCP',
  access: 'key',
  summary: 'Speak the Model Context Protocol: tools `ask`, `plan` and `evaluate`',
  description:
    'Streamable HTTP without sessions. A call of a tool is answered as server-sent events, with progress where a `progressToken` asks for it; all else as JSON.',
  body: McpMessage,
  example: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  reply: z.union([McpReply, JsonRpcError]),
  handle: async (deps, request) => {
    const message = await request.readJson();
    if (isRefusal(message)) return message;
    // A run is one request, with a record and a rate slot of its own.
    if (Array.isArray(message)) return refuse('invalid_request', NO_BATCH);
    deps.guard.count(request.caller);
    return replyTo(deps, request, message);
  },
};

async function replyTo(deps: EndpointDeps, request: ApiRequest, message: unknown): Promise<Reply> {
  const { createMcpHandler, McpServer } = await import('@modelcontextprotocol/server');
  let settled: Promise<unknown> = Promise.resolve();
  const makeServer = () => {
    const server = new McpServer(SERVER, {
      instructions: INSTRUCTIONS,
      capabilities: { tools: { listChanged: false } },
      maxToolInputElements: ARGUMENT_VALUES_MAX,
    });
    registerTools(server, (...call) => {
      const result = playCall({ deps, request }, ...call);
      settled = result;
      return result;
    });
    return server;
  };
  let cause: unknown;
  const handler = createMcpHandler(makeServer, {
    responseMode: 'sse',
    // Silences are bridged by our own streams; nothing ever changes that one could subscribe to.
    ...{ keepAliveMs: 0, maxSubscriptions: 0 },
    onerror: (error) => {
      cause = error;
    },
  });
  const response = await handler.fetch(webRequest(request), { parsedBody: message });
  if (response.status === 500) throw cause;
  if (response.status === 202) return { isAccepted: true };
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    return { body: (await response.json()) as object, status: response.status };
  }
  const messages = messagesIn(response);
  // A client that leaves ends the messages before its run is settled.
  if (isToolCall(message)) return streamReply(messages, () => settled);
  for await (const json of messages) return { body: JSON.parse(json) };
  return refuse('internal');
}

/** The request as the SDK takes it: what it would refuse for its headers alone is let through, as at all other routes. */
function webRequest({ headers = {}, clientGone: signal }: ApiRequest): Request {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('mcp-'));
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { ...(Object.fromEntries(own) as Record<string, string>), ...usual },
    signal,
  });
}

function isToolCall(message: unknown): boolean {
  return (message as { readonly method?: unknown } | null)?.method === 'tools/call';
}

function streamReply(messages: AsyncIterable<string>, settled: () => Promise<unknown>): StreamReply {
  return {
    headers: {},
    bridged: true,
    play: async (events) => {
      for await (const message of messages) {
        events.write(message);
        await events.backPressure();
      }
      await settled();
    },
  };
}

/** The messages of a stream of events that the SDK has written, each the JSON of one event. */
async function* messagesIn({ body }: Response): AsyncGenerator<string> {
  let unread = '';
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = (unread + piece).split('\n\n');
    unread = events.pop() ?? '';
    for (const event of events) {
      const line = event.split('\n').find((each) => each.startsWith('data: {'));
      if (line) yield line.slice('data: '.length);
    }
  }
}
