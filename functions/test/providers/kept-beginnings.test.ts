import { systemClock } from '../../src/lib/clock';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';

/** Conversations as clients really send them, however odd: a longer one begins on the wire as the shorter one did. */

const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
const LONG = 'The lessee shall keep the premises in good repair. '.repeat(400);
const image = { type: 'image_url', image_url: { url: PNG } };
const call = (id: string, args: string) => ({ id, type: 'function', function: { name: 'look', arguments: args } });
const result = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });

/** Steps of one conversation; a request is made after each, with all messages so far. */
const STEPS = [
  [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: LONG }, image, { type: 'text', text: 'Two parts.' }] },
  ],
  [
    // Arguments that are no JSON, and calls with ids that no other provider takes.
    { role: 'assistant', content: null, tool_calls: [call('a b:c/1', '{"z":1,"10":2,"2":3'), call('c2', '')] },
    result('c2', [{ type: 'text', text: 'Second first.' }]),
    result('a b:c/1', ''),
  ],
  [
    { role: 'assistant', content: '', tool_calls: [call('c1', '{"b": 1,\n "a": {"y": 1e3, "x": "\\u00fc"}}')] },
    result('c1', 'Seen \u{1f345} "so" \ud800.'),
    { role: 'user', content: [image, { type: 'text', text: '   ' }] },
    { role: 'user', name: 'Sam', content: 'And this?\r\n' },
  ],
  // The same id once more, a call that nobody answered, and a thought.
  [
    { role: 'assistant', content: 'Hm.', reasoning_content: 'So.', tool_calls: [call('c1', '{}'), call('lost', '{}')] },
    result('c1', 'Seen again.'),
  ],
  [
    { role: 'assistant', content: '' },
    { role: 'user', name: 'Sam Smith', content: 'Go on.' },
  ],
  [{ role: 'assistant', content: null, refusal: 'No.' }, result('gone', 'Late.'), { role: 'user', content: LONG }],
  [
    { role: 'assistant', name: 'helper', content: 'Done.' },
    { role: 'user', content: 'Thanks.' },
  ],
];
const TOOL = {
  type: 'function',
  function: { name: 'look', parameters: { type: 'object', properties: { 10: {}, 2: {} } } },
};

const upstream = during('all', () =>
  startFakeUpstream((exchange) => {
    const { path } = exchange.request;
    return sendEvents(PROTOCOLS.find((protocol) => protocol.path.test(path))?.events ?? '')(exchange);
  }),
);
const app = during('all', () =>
  startApp({
    clock: systemClock,
    providers: {},
    env: {
      ...{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' },
      ...{ OPENAI_BASE_URL: `${upstream.url}/v1`, ANTHROPIC_BASE_URL: upstream.url, GEMINI_BASE_URL: upstream.url },
    },
  }),
);

/** Blocks of all turns, in order, as text: a turn whose reply was empty goes on with the next message. */
function blocksIn(turns: string): string[] {
  return JSON.parse(turns).flatMap(({ role, content, parts, ...rest }: Readonly<Record<string, unknown>>) =>
    [content ?? parts ?? []].flat().map((block) => JSON.stringify({ role, ...rest, block })),
  );
}

it.each([
  ['gpt-4.1', 'messages'],
  ['claude-sonnet-5', 'messages'],
  ['gemini-2.5-flash', 'contents'],
] as const)('%s', async (model, list) => {
  const before = upstream.requests.length;
  for (const [step] of STEPS.entries()) {
    const response = await app.chat({ model, messages: STEPS.slice(0, step + 1).flat(), tools: [TOOL] });
    expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  }
  const bodies = upstream.requests
    .slice(before)
    .map(({ body }) => body.replaceAll(',"cache_control":{"type":"ephemeral"}', ''));
  expect(bodies).toHaveLength(STEPS.length);
  const lists = bodies.map((body) => JSON.stringify(JSON.parse(body)[list]));
  for (const [at, turns] of lists.entries()) {
    expect(bodies[at]).toContain(turns);
    expect(bodies[at]?.replace(turns, '')).toBe(bodies[0]?.replace(lists[0] ?? '', ''));
    const before = blocksIn(lists[at - 1] ?? '[]');
    expect(blocksIn(turns).slice(0, before.length)).toEqual(before);
  }
});
