import type { ChatTurn } from '../../src/models/model';
import { createOpenAiProvider } from '../../src/providers/openai/openai';
import { event, type FakeUpstream, sendEvents, sendStatus, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Names of speakers and thoughts of models, in the words of each protocol. */

let upstream: FakeUpstream;
beforeEach(async () => {
  upstream = await startFakeUpstream();
});
afterEach(() => upstream.close());

const CALL = { id: 'c1', name: 'now', arguments: '{}' };
const THOUGHT = { reasoning_content: 'Look.', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] };
const TURNS: readonly ChatTurn[] = [
  { role: 'user', name: 'Adam', text: 'Hi.' },
  { role: 'user', name: 'Sam', text: 'What time is it?' },
  { role: 'assistant', name: 'guide', text: '', toolCalls: [CALL], reasoning: THOUGHT },
  { role: 'user', text: '', toolResults: [{ callId: 'c1', name: 'now', text: '12:00' }] },
  { role: 'assistant', text: 'Noon.', reasoning: { reasoning: 'Hm.' } },
  { role: 'user', name: 'Adam', text: 'Is it?' },
];

describe.each(PROTOCOLS)('$name', ({ name, create, events }) => {
  it('is told who speaks, and what of its thoughts it can read', async () => {
    upstream.willReply(sendEvents(events));
    await create(upstream.url).run(callOf({ prompt: { turns: TURNS } }), new RecordingListener());
    const { messages, contents } = JSON.parse(upstream.requests[0]?.body ?? '');
    const toolCalls = [{ id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } }];
    const expected = {
      openai: [
        { role: 'user', name: 'Adam', content: 'Hi.' },
        { role: 'user', name: 'Sam', content: 'What time is it?' },
        { role: 'assistant', name: 'guide', content: null, tool_calls: toolCalls, ...THOUGHT },
        { role: 'tool', tool_call_id: 'c1', content: '12:00' },
        { role: 'assistant', content: 'Noon.', reasoning: 'Hm.' },
        { role: 'user', name: 'Adam', content: 'Is it?' },
      ],
      anthropic: [
        { role: 'user', content: 'Adam: Hi.\n\nSam: What time is it?' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'now', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: '12:00' }] },
        { role: 'assistant', content: 'Noon.' },
        { role: 'user', content: 'Adam: Is it?' },
      ],
      google: [
        { role: 'user', parts: [{ text: 'Adam: Hi.\n\nSam: What time is it?' }] },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'now', args: {} }, thoughtSignature: 'skip_thought_signature_validator' }],
        },
        { role: 'user', parts: [{ functionResponse: { name: 'now', response: { result: '12:00' } } }] },
        { role: 'model', parts: [{ text: 'Noon.' }] },
        { role: 'user', parts: [{ text: 'Adam: Is it?' }] },
      ],
    };
    expect(messages ?? contents).toEqual(expected[name]);
  });
});

describe('servers of OpenAI’s protocol', () => {
  const PIECES = [{ reasoning_content: 'Lo' }, { reasoning_content: 'ok.', reasoning: 'Hm.' }, THOUGHT];
  const message = { content: 'Noon.', ...THOUGHT };

  it.each([
    [
      'as a stream',
      sendEvents(
        [...PIECES, { content: 'Noon.' }].map((delta) => event({ choices: [{ delta }] })).join('') +
          event({ choices: [{ delta: {}, finish_reason: 'stop' }] }),
      ),
      PIECES,
    ],
    ['whole', sendStatus(200, { choices: [{ message, finish_reason: 'stop' }] }), [THOUGHT]],
  ])('are heard think under the names they use, %s', async (_, reply, thoughts) => {
    upstream.willReply(reply);
    const listener = new RecordingListener();
    await createOpenAiProvider({ apiKey: 'k', baseUrl: upstream.url }).run(callOf(), listener);
    expect({ thoughts: listener.thoughts, texts: listener.texts }).toEqual({ thoughts, texts: ['Noon.'] });
  });
});
