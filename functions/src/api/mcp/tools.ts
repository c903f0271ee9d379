import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { Refusal } from '../../errors';
import { ask } from './ask';
import { evaluate } from './evaluate';
import { askFields, evaluateFields, planFields } from './fields';
import type { McpCall } from './mcp-call';

/** Plays the call of a tool. */
type Play = (
  context: ServerContext,
  work: (call: McpCall) => Promise<CallToolResult | Refusal>,
) => Promise<CallToolResult>;

/** Offers the tools to a client. */
export function registerTools(server: Pick<McpServer, 'registerTool'>, play: Play): void {
  server.registerTool(
    'ask',
    {
      title: 'Ask an ensemble',
      description:
        'Several models answer a question, read each other as the strategy says, and one writes the final answer. For hard, disputed or high-stakes questions and for a second opinion; one model alone is enough for the rest. It takes seconds to minutes and costs several model calls, which the result states. The models see only what you send: no conversation, no files.',
      inputSchema: askFields,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (fields, context) => play(context, (call) => ask(call, fields)),
  );
  server.registerTool(
    'plan',
    {
      title: 'Plan an ask',
      description: 'Tells what `ask` with the same arguments would do, cost and take. Free: no model is called.',
      inputSchema: planFields,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    },
    (fields, context) => play(context, (call) => ask(call, { ...fields, dryRun: true })),
  );
  server.registerTool(
    'evaluate',
    {
      title: 'Evaluate texts',
      description:
        'Independent judge models score one or more responses to a prompt from 0 to 10, with reasons, best first. To compare drafts or check an answer. It costs a model call for each judge.',
      inputSchema: evaluateFields,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (fields, context) => play(context, (call) => evaluate(call, fields)),
  );
}
