import type { ModelPrompt } from '../../src/models/model';
import { during } from '../support/during';
import { sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Half of a surrogate pair is no character: providers take a request with one for no JSON, however long its text. */

const HALVES = ['\ud83d', '\ude00', '\ude00\ud83d', '\ud83d\ud83d\ude00'];
/** Whole characters, and text that only looks like an escape. */
const WHOLE = ['👋🏽', '\\ud83d', '\\\\ud83d', '\\', '\ufffd'];
const PADDING = 'Some words. '.repeat(2_000);

function promptOf(text: string): ModelPrompt {
  const tools = [{ name: 'now', description: text, parameters: { type: 'object', description: text } }];
  return {
    system: text,
    turns: [
      { role: 'user', text },
      { role: 'assistant', text, toolCalls: [{ id: 'call_1', name: 'now', arguments: JSON.stringify({ text }) }] },
      { role: 'user', text, toolResults: [{ callId: 'call_1', name: 'now', text }] },
    ],
    tools: { tools, json: '' },
  };
}

const upstream = during('each', startFakeUpstream);

describe.each(PROTOCOLS)('$name', (protocol) => {
  const sent = async (text: string): Promise<string> => {
    upstream.willReply(sendEvents(protocol.events));
    const outputSchema = { name: 'form', schema: { type: 'object', description: text } };
    await protocol.create(upstream.url).run(callOf({ prompt: promptOf(text), outputSchema }), new RecordingListener());
    return upstream.requests.at(-1)?.body ?? '';
  };

  it.each([
    ['short', (text: string) => `Before ${text} after`],
    ['long', (text: string) => `${PADDING}${text}${PADDING}`],
    ['cut off', (text: string) => `${PADDING}${text}`],
  ])('gets whole characters only, in a text that is %s', async (_, around) => {
    for (const text of [...HALVES, ...WHOLE]) {
      const body = await sent(around(text));
      const expected = await sent(around(text.toWellFormed()));
      expect(body === expected).toBe(true);
      const strings: string[] = [];
      JSON.parse(body, (_name, value) => {
        if (typeof value === 'string') strings.push(value);
        return value;
      });
      expect(strings.filter((each) => !each.isWellFormed())).toEqual([]);
      expect(strings.some((each) => each === around(text).toWellFormed())).toBe(true);
    }
  });
});
