import { errorBody } from '../support/api-errors';
import { QUESTION, sharedApp } from '../support/app';

/** The first bytes of each kind are what it is known by; more is not looked at. */
const PNG = Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64');
const JPEG = Buffer.from('ffd8ffe000', 'hex').toString('base64');

const image = (url: unknown): object => ({ type: 'image_url', image_url: { url, detail: 'low' } });
const png = image(`data:image/png;base64,${PNG}`);
const text = (words: string): object => ({ type: 'text', text: words });
const user = (...content: object[]): object => ({ role: 'user', content });

describe('POST /v1/chat/completions: image parts', () => {
  const app = sharedApp();

  it('reach a model with vision with the turn they came in, history included', async () => {
    const jpeg = image(`data:image/jpg;base64,${JPEG}`);
    const messages = [user(jpeg), { role: 'assistant', content: 'A cat.' }, user(text('And'), png, text('this?'))];
    expect((await app.complete({ model: 'gpt-4o', messages: [user(png)] })).status).toBe(200);
    const { calls } = await app.complete({ model: 'gpt-4o', messages });
    expect(calls.map(({ prompt }) => prompt.turns)).toEqual([
      [
        { role: 'user', text: '', images: [{ mediaType: 'image/jpeg', base64: JPEG }] },
        { role: 'assistant', text: 'A cat.' },
        { role: 'user', text: 'And\nthis?', images: [{ mediaType: 'image/png', base64: PNG }] },
      ],
    ]);
  });

  it('are shown to everybody in an ensemble', async () => {
    const { calls } = await app.complete({
      model: 'gpt-4o',
      messages: [user(text(QUESTION), png)],
      ai_ensemble: { models: ['gpt-4.1', 'claude-sonnet-5'] },
    });
    expect(calls.map(({ prompt }) => prompt.turns.at(-1)?.images?.length)).toEqual([1, 1, 1]);
  });

  it.each([
    ['one model', { model: 'demo-ada' }, 'Images need models with vision, which Demo Ada has not'],
    [
      'some of a panel',
      { model: 'gpt-4o', ai_ensemble: { models: ['demo-ada', 'gpt-4.1', 'demo-curie'] } },
      'Images need models with vision, which Demo Ada, Demo Curie have not',
    ],
  ])('are refused by the names of those who cannot see them: %s', async (_, fields, expected) => {
    for (const messages of [
      [user(text(QUESTION), png)],
      [user(png), { role: 'assistant', content: 'A cat.' }, user(text(QUESTION))],
    ]) {
      const { status, body, calls } = await app.complete({ ...fields, messages });
      expect({ status, body, calls }).toEqual({ status: 400, body: errorBody(expected), calls: [] });
    }
  });

  const RULE = 'the URL of an "image_url" part must be a data URI (data:image/png;base64,…)';
  const KINDS = 'image/png, image/jpeg, image/webp, image/gif';
  const ROLE = 'unsupported content part type "image_url": only messages of the role user may have images';
  it.each<[part: object, rule: string, role?: string]>([
    [image('https://example.test/cat.png'), `${RULE}: no address is fetched`],
    [image('data:image/png,abc'), `${RULE}: no address is fetched`],
    [{ type: 'image_url' }, RULE],
    [image('data:image/svg+xml;base64,QUJD'), `an "image_url" must be one of ${KINDS}`],
    [image('data:image/png;base64,iVBO Rw0='), 'the data of an "image_url" must be standard base64'],
    [image(`data:image/png;base64,${JPEG}`), 'the data of an "image_url" is no image/png'],
    [png, ROLE, 'system'],
    [png, ROLE, 'assistant'],
    [png, ROLE, 'tool'],
  ])('that cannot be read are refused by their place: %j', async (...[part, rule, role = 'user']) => {
    const messages = [{ role, content: [text('Look:'), part] }, user(text(QUESTION))];
    const { status, body } = await app.complete({ model: 'gpt-4o', messages });
    expect({ status, body }).toEqual({ status: 400, body: errorBody(`Invalid messages[0].content[1]: ${rule}`) });
  });

  it('are 32 at most, over all messages', async () => {
    const ask = (count: number) =>
      app.complete({ model: 'gpt-4o', messages: [user(...Array(count - 1).fill(png)), user(text(QUESTION), png)] });
    expect((await ask(32)).status).toBe(200);
    expect((await ask(33)).body).toEqual(errorBody('Invalid messages: at most 32 images'));
  });
});
