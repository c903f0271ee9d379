import { constructLlmApi } from '@continuedev/openai-adapters';
import { API_KEY, attempt, BASE_URL, QUESTION, TOOLS, WEATHER_QUESTION } from '../attempt.mjs';

// What Continue makes of `provider: openai`, `apiBase` and `apiKey` in its config.yaml.
const api = constructLlmApi({ provider: 'openai', apiBase: BASE_URL, apiKey: API_KEY });
const { signal } = new AbortController();

async function streamed(body) {
  let content = '';
  const calls = [];
  for await (const { choices } of api.chatCompletionStream({ ...body, stream: true }, signal)) {
    content += choices[0]?.delta.content ?? '';
    for (const call of choices[0]?.delta.tool_calls ?? []) {
      const { name = '', arguments: args = '' } = call.function;
      calls[call.index] ??= { id: call.id, type: 'function', function: { name: '', arguments: '' } };
      calls[call.index].function.name += name;
      calls[call.index].function.arguments += args;
    }
  }
  return { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) };
}

async function toolLoop() {
  const parameters = { type: 'object', properties: { town: { type: 'string' } } };
  const tools = ['where_am_i', 'weather'].map((name) => ({ type: 'function', function: { name, parameters } }));
  const known = { where_am_i: TOOLS.whereAmI, weather: TOOLS.weather };
  const messages = [{ role: 'user', content: WEATHER_QUESTION }];
  for (;;) {
    const reply = await streamed({ model: 'scripted', messages, tools });
    if (!reply.tool_calls) return reply.content;
    messages.push(reply);
    for (const call of reply.tool_calls) {
      const content = known[call.function.name](JSON.parse(call.function.arguments));
      messages.push({ role: 'tool', tool_call_id: call.id, content });
    }
  }
}

const body = { model: 'ensemble', messages: [{ role: 'user', content: QUESTION }], max_tokens: 500 };
await attempt({ tried: 'chat', kind: 'text' }, async () => {
  const { choices } = await api.chatCompletionNonStream(body, signal);
  return choices[0].message.content;
});
await attempt({ tried: 'chat, streamed', kind: 'text' }, async () => (await streamed(body)).content);
await attempt({ tried: 'agent mode: a loop of two tools', kind: 'tools' }, toolLoop);
