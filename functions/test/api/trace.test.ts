import type { TracedEvent } from '../../src/runs/trace-event';
import { RUN_ENDPOINTS, sharedApp } from '../support/app';
import { readTrace } from '../support/read-trace';
import { failing, PLAIN } from '../support/scripted-models';

const OPTIONS = {
  strategy: 'competitive_refinement',
  models: ['demo-ada', 'demo-blaise'],
  rounds: 2,
  includeReasoning: true,
  includeCandidates: true,
  includeFollowUpPrompts: true,
};
const TRACED = { ai_ensemble: { ...OPTIONS, includeTrace: true } };

interface Chunk {
  readonly choices?: readonly object[];
  readonly trace?: TracedEvent;
}

const app = sharedApp();
afterEach(() => app.clock.advance(60_000));

describe.each(RUN_ENDPOINTS)('POST $path: ai_ensemble.includeTrace', ({ path, body: smallest, send }) => {
  /** The events of a stream, as they stand on the wire. */
  async function streamed(fields: object): Promise<string[]> {
    const response = await app.post(path, { ...smallest, ...fields, stream: true });
    const wire = await response.text();
    // What an hour or an id is differs from run to run.
    return wire.split('\n\n').filter((line) => line !== '');
  }

  const chunkOf = (line: string): Chunk => (line === 'data: [DONE]' ? {} : JSON.parse(line.replace(/^data: /, '')));
  const eventsOf = (lines: readonly string[]): TracedEvent[] => lines.flatMap((line) => chunkOf(line).trace ?? []);
  const withoutIds = (line: string): string =>
    line.replace(/"id":"\w+-?_?\d+","object"/, '').replace(/"created":\d+/, '');

  it('tells a streamed run event by event, and changes nothing else of the stream', async () => {
    const plain = await streamed({ ai_ensemble: OPTIONS });
    await app.clock.advance(60_000);
    const traced = await streamed(TRACED);
    const events = eventsOf(traced);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index));
    expect(readTrace(events).flaws).toEqual([]);
    const others = traced.filter((line) => chunkOf(line).trace === undefined);
    expect(others.map(withoutIds)).toEqual(plain.map(withoutIds));
  });

  it('gives a reply in one piece the same trace, beside what it has without', async () => {
    const plain = await send(app, { ai_ensemble: OPTIONS });
    await app.clock.advance(60_000);
    const { body } = await send(app, TRACED);
    const { trace, ...rest } = body as typeof body & { trace: TracedEvent[] };
    expect(readTrace(trace).flaws).toEqual([]);
    expect(withoutIds(JSON.stringify(rest)).replace(/"msg_\d+"/, '')).toBe(
      withoutIds(JSON.stringify(plain.body)).replace(/"msg_\d+"/, ''),
    );
    expect(plain.body).not.toHaveProperty('trace');
    const spoken = (events: readonly TracedEvent[]) => [...readTrace(events).calls.values()].map(({ text }) => text);
    await app.clock.advance(60_000);
    expect(spoken(trace)).toEqual(spoken(eventsOf(await streamed(TRACED))));
  });

  it('tells the usage of the reply, call by call', async () => {
    app.models.play(PLAIN);
    const { body } = await send(app, TRACED);
    const { trace, usage } = body as typeof body & { trace: TracedEvent[] };
    const { spends, end } = readTrace(trace);
    // Two drafts, two revisions, a comparison, the answer and the follow-ups: one token each way.
    expect(spends).toHaveLength(7);
    expect([end?.promptTokens, end?.completionTokens]).toEqual([7, 7]);
    expect(usage).toMatchObject({ input_tokens: 7, output_tokens: 7 });
  });

  it('tells a failed run to its end, before the error of the stream', async () => {
    app.models.play(() => failing('unauthorized'));
    const lines = await streamed(TRACED);
    const events = eventsOf(lines);
    const { end, flaws } = readTrace(events);
    const { error } = chunkOf(lines.at(-1) ?? '') as { error?: string };
    expect(flaws).toEqual([]);
    expect(end).toMatchObject({ outcome: 'failed', message: error, promptTokens: 0 });
  });

  it('has no trace of a plan', async () => {
    const { body } = await send(app, { ai_ensemble: { ...OPTIONS, includeTrace: true, dryRun: true } });
    expect(body).not.toHaveProperty('trace');
  });
});
