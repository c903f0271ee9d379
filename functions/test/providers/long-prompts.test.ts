import { textOfPieces } from '../../src/models/model';
import { during } from '../support/during';
import { sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, LOOK, RecordingListener } from '../support/provider-calls';

/** Prompts that are long enough to be sent from shared bytes arrive exactly as short ones do. */

const LONG = 'Größe "98 cm"\n👋🏽\u2028\\ '.repeat(20_000);
const OTHER = 'Another text, only ASCII. '.repeat(20_000);
const IMAGE = Buffer.from(OTHER).toString('base64');
const SYSTEM = `You are terse. ${OTHER}`;

const upstream = during('each', startFakeUpstream);

describe.each(PROTOCOLS)('$name', (protocol) => {
  const images = [...(LOOK.images ?? []), { mediaType: 'image/png', base64: IMAGE } as const];
  const turns = [
    { role: 'user', text: LONG },
    { role: 'user', ...textOfPieces(['First.', OTHER, '\n\n', LONG]) },
    { role: 'assistant', text: OTHER },
    { role: 'user', ...textOfPieces([LONG, 'and this']), images },
  ] as const;

  it('gets its long texts whole, with their length, from 16 calls at once', async () => {
    upstream.willReply(...Array.from({ length: 16 }, () => sendEvents(protocol.events)));
    const provider = protocol.create(upstream.url);
    const run = (): Promise<unknown> =>
      provider.run(callOf({ prompt: { system: SYSTEM, turns } }), new RecordingListener());
    await Promise.all(Array.from({ length: 16 }, run));
    expect(upstream.requests).toHaveLength(16);
    const [first] = upstream.requests;
    const texts = turns.map(({ text }) => text);
    // Two of the protocols join turns of one role.
    const joined = [[texts[0], texts[1]].join('\n\n'), ...texts.slice(2)];
    const expected = protocol.name === 'openai' ? texts : joined;
    const shown = textsOf(JSON.parse(first?.body ?? ''));
    // By their numbers: a difference of such texts would fill the screen.
    const numbers = shown.map((text) => {
      if (text === SYSTEM) return 'system';
      return text.endsWith(IMAGE) ? text.replace(IMAGE, 'image') : expected.indexOf(text);
    });
    const image = protocol.name === 'openai' ? 'data:image/png;base64,image' : 'image';
    expect(numbers.sort()).toEqual([...expected.keys(), image, 'system']);
    for (const { body, headers } of upstream.requests) {
      expect(body === first?.body).toBe(true);
      expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body));
    }
  });
});

/** Every long text of a request. */
function textsOf(value: unknown): string[] {
  const found: string[] = [];
  JSON.stringify(value, (_, part) => {
    if (typeof part === 'string' && part.length > 1_000) found.push(part);
    return part;
  });
  return found;
}
