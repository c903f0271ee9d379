import { CHAT, CHAT_PATH, RUN_ENDPOINTS, startApp } from '../support/app';
import { readStream } from '../support/wire';

/** Fields without effect are listed once, in the reply or on the final chunk: nothing vanishes in silence. */

interface Told {
  readonly ignored?: readonly string[];
}

const FIELDS = {
  stop: ['###'],
  models: ['demo-ada', 'demo-blaise'],
  ai_ensemble: { strategy: 'debate', include_candidates: true },
};
const LIST = [
  'stop',
  'models: belongs in ai_ensemble',
  'ai_ensemble.strategy "debate": competitive_refinement was used',
  'ai_ensemble.include_candidates: unknown, did you mean includeCandidates',
];

it.each(RUN_ENDPOINTS)(
  '$path: in one piece, on the last chunk of a stream, and nowhere where nothing was',
  async (at) => {
    await using app = await startApp();
    expect(((await at.send(app, FIELDS)).body as Told).ignored).toEqual(LIST);
    const { chunks } = await readStream(await app.post(at.path, { ...at.body, ...FIELDS, stream: true }));
    expect(chunks.flatMap((chunk) => (chunk as Told).ignored ?? [])).toEqual(LIST);
    expect((chunks.at(-1) as Told).ignored).toEqual(LIST);
    expect((await at.send(app)).body).not.toHaveProperty('ignored');
  },
);

it('a plan says it too', async () => {
  await using app = await startApp();
  const ai_ensemble = { dryRun: true, judges: 2 };
  const reply = (await (await app.post(CHAT_PATH, { ...CHAT, ai_ensemble })).json()) as Told;
  expect(reply.ignored).toEqual(['ai_ensemble.judges: unknown']);
});
