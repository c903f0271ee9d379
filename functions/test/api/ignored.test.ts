import { type App, CHAT, CHAT_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { readStream } from '../support/wire';

/** What a request says without effect is listed once, in the reply or on the final chunk: nothing vanishes in silence. */

interface Told {
  readonly ignored?: readonly string[];
}

const FIELDS = {
  stop: ['###'],
  models: ['demo-ada', 'demo-blaise'],
  ai_ensemble: { strategy: 'debate', rounds: 'three', include_candidates: true },
};
const LIST = [
  'stop',
  'models: belongs in ai_ensemble',
  'ai_ensemble.strategy "debate": competitive_refinement was used',
  'rounds "three": 1',
  'ai_ensemble.include_candidates: unknown, did you mean includeCandidates',
];

describe.each(RUN_ENDPOINTS)('POST $path: what is ignored', ({ path, body: request, send }) => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());

  it('is listed at the top of a reply', async () => {
    const { status, body } = await send(app, FIELDS);
    expect([status, (body as Told).ignored]).toEqual([200, LIST]);
  });

  it('is listed on the final chunk of a stream, and on no other', async () => {
    const { chunks } = await readStream(await app.post(path, { ...request, ...FIELDS, stream: true }));
    expect(chunks.filter((chunk) => 'ignored' in chunk)).toEqual([chunks.at(-1)]);
    expect((chunks.at(-1) as Told).ignored).toEqual(LIST);
  });

  it('is no field of a reply where nothing was', async () => {
    expect((await send(app)).body).not.toHaveProperty('ignored');
  });
});

it('a plan says it too', async () => {
  await using app = await startApp();
  const ai_ensemble = { dryRun: true, judges: 2 };
  const reply = (await (await app.post(CHAT_PATH, { ...CHAT, ai_ensemble })).json()) as Told;
  expect(reply.ignored).toEqual(['ai_ensemble.judges: unknown']);
});
