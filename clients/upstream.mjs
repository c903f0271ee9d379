import { once } from 'node:events';
import { createServer } from 'node:http';
import { ANSWER, BREAKING_QUESTION, MCP_TASK, QUESTION } from './attempt.mjs';
import { editWith } from './edits.mjs';

/** The last words that a client must end with, by what it was asked to do. */
export const ANSWERS = {
  text: ANSWER,
  tools: 'There is rain in Bergen.',
  call: 'weather{"town":"Bergen"}',
  fault: 'The answer was cut off: scripted (network)',
  object: { fruit: true, why: 'It has seeds.' },
  mcp: true,
  mcpTools: ['ask', 'evaluate', 'plan'],
  mcpPlan: { isError: false, saysCost: true },
  edit: { notes: 'one\ndeux\ntrois\nfour\nfive\n', isDone: true, tellsAdvice: false },
};

/** A provider in OpenAI's shape: its model `scripted` says what `ANSWERS` says, all others give advice; it counts what it is asked. */
export async function startUpstream() {
  const calls = [];
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString('utf8');
    if (request.url === '/calls') return send(response, { calls: calls.length });
    if (!request.url.endsWith('/chat/completions')) return send(response, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
    const body = JSON.parse(text);
    calls.push(body);
    const message = messageFor(body);
    if (textOf(body.messages.at(-1).content).includes(BREAKING_QUESTION)) breakOff(response);
    else if (body.stream) sendStream(response, message);
    else send(response, completion('message', message));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const origin = `http://127.0.0.1:${server.address().port}`;
  return { url: `${origin}/v1`, callsUrl: `${origin}/calls`, close };
}

function messageFor({ model, messages, tools = [], response_format: form }) {
  if (form?.type === 'json_schema') return { content: JSON.stringify(ANSWERS.object) };
  if (model !== 'scripted') return { content: `ADVICE of ${model}: look first.` };
  const names = tools.map((tool) => tool.function.name);
  const town = names.find((name) => name.endsWith('where_am_i'));
  const weather = names.find((name) => name.endsWith('weather'));
  if (weather && !town) return { tool_calls: [toolCall(1, weather, { town: 'Bergen' })] };
  if (!town || !weather) return editOf(messages, names) ?? questionOf(messages, names) ?? { content: ANSWER };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
  if (results.length === 0) return { tool_calls: [toolCall(1, town, {})] };
  if (results.length === 1) return { tool_calls: [toolCall(2, weather, { town: wordIn(results[0]) })] };
  return { content: results.every((result) => result.includes('Bergen')) ? ANSWERS.tools : `The tools said: ${results}` };
}

/** The next step of a coding agent in its user's last task; what it says of itself in the user's place is no task. */
function editOf(messages, names) {
  const tasks = messages.map(({ role, content }) => (role === 'user' ? editWith(names, textOf(content)) : undefined));
  const asked = tasks.findLastIndex(Boolean);
  if (asked < 0) return undefined;
  const call = tasks[asked][messages.slice(asked).filter(({ role }) => role === 'tool').length];
  return call ? { tool_calls: [toolCall(messages.length, ...call)] } : { content: 'It is done.' };
}

/** The next step of an agent that is to ask by MCP; some are offered the tool only when they have looked for it. */
function questionOf(messages, names) {
  if (!messages.some(({ role, content }) => role === 'user' && textOf(content).includes(MCP_TASK))) return undefined;
  const last = messages.at(-1);
  if (last.role === 'tool' && textOf(last.content).includes(ANSWER)) return { content: `They say: ${ANSWER}` };
  const ask = names.find((name) => name.endsWith('ask'));
  if (ask) return { tool_calls: [toolCall(messages.length, ask, { question: QUESTION })] };
  return { tool_calls: [toolCall(messages.length, 'ToolSearch', { query: 'select:mcp__ensemble__ask' })] };
}

/** The town as the client has passed it on; some wrap what a tool returns in JSON. */
function wordIn(result) {
  return /Bergen/.exec(result)?.[0] ?? result;
}

function textOf(content) {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}

function toolCall(number, name, args) {
  return { index: 0, id: `call_${number}`, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

function completion(part, content, finish = content.tool_calls ? 'tool_calls' : 'stop') {
  const object = part === 'delta' ? 'chat.completion.chunk' : 'chat.completion';
  const choices = [{ index: 0, [part]: { role: 'assistant', ...content }, finish_reason: finish }];
  const usage = { prompt_tokens: 10, completion_tokens: 6, total_tokens: 16 };
  return { id: 'chatcmpl-scripted', object, created: 1, model: 'scripted', choices, ...(finish && { usage }) };
}

function send(response, body) {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

function sendStream(response, message) {
  response.setHeader('content-type', 'text/event-stream');
  const finish = message.tool_calls ? 'tool_calls' : 'stop';
  for (const chunk of [completion('delta', message, null), completion('delta', {}, finish)])
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  response.end('data: [DONE]\n\n');
}

/** Half of an answer, and the end of the connection. */
function breakOff(response) {
  response.setHeader('content-type', 'text/event-stream');
  const chunk = completion('delta', { content: 'My last ' }, null);
  response.write(`data: ${JSON.stringify(chunk)}\n\n`, () => response.destroy());
}
