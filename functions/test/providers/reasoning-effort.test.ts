import type { ReasoningEffort, Sampling } from '../../src/models/model';
import { type FakeUpstream, sendEvents, startFakeUpstream } from '../support/fake-upstream';
import { PROTOCOLS } from '../support/protocols';
import { callOf, RecordingListener } from '../support/provider-calls';

/** Parameter of each protocol for the effort of thinking (their own references, as the installed SDKs type them). */
interface Row {
  readonly model: string;
  readonly effort: ReasoningEffort | undefined;
  readonly sampling?: Sampling;
  readonly sent: object;
}

const adaptive = { type: 'adaptive' };
const ROWS: Readonly<Record<string, readonly Row[]>> = {
  openai: [
    { model: 'gpt-5.5', effort: 'low', sent: { reasoning_effort: 'low' } },
    { model: 'gpt-5.5', effort: undefined, sent: {} },
  ],
  anthropic: [
    { model: 'claude-opus-5-5', effort: 'high', sent: { output_config: { effort: 'high' }, thinking: adaptive } },
    { model: 'claude-opus-4-6', effort: 'low', sent: { output_config: { effort: 'low' }, thinking: adaptive } },
    // Its thinking takes a number of tokens, the effort goes without.
    { model: 'claude-opus-4-5-20251101', effort: 'medium', sent: { output_config: { effort: 'medium' } } },
    // Thinking is refused beside sampling settings.
    {
      model: 'claude-opus-4-6',
      effort: 'medium',
      sampling: { temperature: 0.5 },
      sent: { temperature: 0.5, output_config: { effort: 'medium' } },
    },
    { model: 'claude-opus-5-5', effort: undefined, sent: {} },
  ],
  google: [
    { model: 'gemini-2.5-flash', effort: 'low', sent: { thinkingConfig: { thinkingBudget: 1_024 } } },
    { model: 'gemini-2.5-pro', effort: 'medium', sent: { thinkingConfig: { thinkingBudget: 8_192 } } },
    { model: 'gemini-2.5-pro', effort: 'high', sent: { thinkingConfig: { thinkingBudget: 24_576 } } },
    { model: 'gemini-3.8-flash', effort: 'medium', sent: { thinkingConfig: { thinkingLevel: 'medium' } } },
    { model: 'gemini-3-pro-preview', effort: 'medium', sent: { thinkingConfig: { thinkingLevel: 'high' } } },
    { model: 'gemini-3-pro-preview', effort: 'low', sent: { thinkingConfig: { thinkingLevel: 'low' } } },
    { model: 'gemini-2.5-pro', effort: undefined, sent: {} },
  ],
};
const FIELDS = ['reasoning_effort', 'output_config', 'thinking', 'temperature', 'thinkingConfig'];

describe.each(PROTOCOLS)('$name', ({ name, create, events }) => {
  let upstream: FakeUpstream;
  beforeEach(async () => {
    upstream = await startFakeUpstream();
  });
  afterEach(() => upstream.close());

  test.each(ROWS[name] ?? [])('$model, $effort', async ({ model: providerModel, effort, sampling = {}, sent }) => {
    upstream.willReply(sendEvents(events));
    const call = callOf({ providerModel, sampling, ...(effort && { reasoningEffort: effort }) });
    await create(upstream.url).run(call, new RecordingListener());
    const body: Record<string, unknown> = JSON.parse(upstream.requests[0]?.body ?? '');
    const all: Record<string, unknown> = { ...body, ...(body['generationConfig'] as object | undefined) };
    expect(Object.fromEntries(FIELDS.filter((field) => field in all).map((field) => [field, all[field]]))).toEqual(
      sent,
    );
  });
});
