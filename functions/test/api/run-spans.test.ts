import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { InMemorySpanExporter, type ReadableSpan, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { CHAT_PATH, EVALUATIONS_PATH, sharedApp } from '../support/app';
import CONVENTIONS from '../support/gen-ai-conventions.json';
import { failing, PLAIN } from '../support/scripted-models';
import { FORMAT, GOOD } from '../support/verdict-format';

/** A run as a tracing backend gets it, held to OpenTelemetry's GenAI conventions as they are pinned here. */

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
const app = sharedApp();
const SECRET_WORDS = 'The secret of the tomato';
const USAGE = { promptTokens: 40, completionTokens: 8, cachedPromptTokens: 30, reasoningTokens: 2 };
const PANEL = { models: ['gpt-4o', 'gpt-4o-mini'], includeReasoning: true };

beforeAll(() => trace.setGlobalTracerProvider(provider));
afterAll(() => trace.disable());
beforeEach(() => {
  exporter.reset();
  app.models.play((call) => ({ ...PLAIN(call), usage: USAGE }));
});

const spansOf = (...prefixes: string[]) =>
  exporter.getFinishedSpans().filter(({ name }) => prefixes.some((prefix) => name.startsWith(prefix)));
const parentOf = ({ parentSpanContext }: ReadableSpan) =>
  exporter.getFinishedSpans().find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
const ask = (ai_ensemble?: object, more: object = {}) =>
  app.post(CHAT_PATH, { model: 'gpt-4o', messages: [{ role: 'user', content: SECRET_WORDS }], ai_ensemble, ...more });

const IS: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  int: Number.isInteger,
  double: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

/** All that the conventions find wrong with a span; ours alone begin with `ensemble.`. */
function flawsOf({ name, kind, attributes }: ReadableSpan): string[] {
  const operation = String(attributes['gen_ai.operation.name']);
  const form = Object.values(CONVENTIONS.spans).find(({ operations }) => operations.includes(operation));
  if (!form) return [`${name}: no such operation`];
  const types: Readonly<Record<string, string>> = CONVENTIONS.types;
  const named = `${operation} ${attributes[form.namedBy]}`;
  const known = Object.entries(attributes).filter(([key]) => !key.startsWith('ensemble.'));
  return [
    ...(name === named ? [] : [`${name} is not ${named}`]),
    ...(SpanKind[kind] === form.kind ? [] : [`${name}: its kind is not ${form.kind}`]),
    ...form.required.filter((key) => attributes[key] === undefined).map((key) => `${name}: without ${key}`),
    ...known.filter(([key]) => !form.attributes.includes(key)).map(([key]) => `${name}: ${key}`),
    ...known.filter(([key, value]) => !IS[types[key] ?? '']?.(value)).map(([key]) => `${name}: the type of ${key}`),
  ];
}

it('a run is one span of a workflow, with its waves in it and their calls in these', async () => {
  await (await ask({ ...PANEL, rounds: 2 })).text();
  const [run, ...more] = spansOf('invoke_workflow');
  expect([run?.name, more, run && parentOf(run)?.name]).toEqual([
    'invoke_workflow competitive_refinement',
    [],
    `POST ${CHAT_PATH}`,
  ]);
  const waves = spansOf('wave ');
  expect(waves.map((wave) => [wave.name, wave.attributes['ensemble.round'], parentOf(wave)])).toEqual([
    ['wave draft', 1, run],
    ['wave revise', 2, run],
    ['wave analyse', 0, run],
    ['wave answer', 0, run],
  ]);
  const calls = spansOf('chat ').map((call) => [call.name, call.attributes['ensemble.seat'], parentOf(call)?.name]);
  const both = (wave: string) => [
    ['chat gpt-4o', 'p1', wave],
    ['chat gpt-4o-mini', 'p2', wave],
  ];
  const ofArbiter = ['wave analyse', 'wave answer'].map((wave) => ['chat gpt-4o', 'arbiter', wave]);
  expect(calls).toEqual([...both('wave draft'), ...both('wave revise'), ...ofArbiter]);
});

it('names, kinds, attributes and their types are those of the conventions, and no text is among them', async () => {
  app.models.play((call) =>
    call.providerModel === 'gpt-4o-mini'
      ? failing('rate_limited')
      : { text: call.purpose === 'answer' ? GOOD : PLAIN(call).text, usage: { ...USAGE, cacheWritePromptTokens: 5 } },
  );
  await (await ask(PANEL, { response_format: FORMAT })).text();
  await (await ask(undefined)).text();
  const spans = spansOf('invoke_', 'chat ');
  expect(spans.length).toBeGreaterThan(5);
  expect(spans.flatMap(flawsOf)).toEqual([]);
  const told = JSON.stringify(
    exporter.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
  );
  for (const words of [SECRET_WORDS, 'A first draft', 'Botanically', app.key]) expect(told).not.toContain(words);
});

it('a run has the tokens and the cost of all its calls, as its reply and the ledger have them', async () => {
  const response = await ask(PANEL);
  const { usage } = (await response.json()) as { usage: Record<string, number> };
  const record = await app.container.store.findRecord(response.headers.get('x-request-id') ?? '');
  const costs = record?.calls.map(({ costNanoUsd }) => costNanoUsd / 1e9) ?? [];
  const [run] = spansOf('invoke_workflow');
  expect(run?.attributes).toMatchObject({
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': usage['prompt_tokens'],
    'gen_ai.usage.output_tokens': usage['completion_tokens'],
    'gen_ai.usage.cache_read.input_tokens': 4 * USAGE.cachedPromptTokens,
  });
  expect(run?.attributes['ensemble.cost_usd']).toBeCloseTo(
    costs.reduce((sum, cost) => sum + cost, 0),
    12,
  );
  const calls = spansOf('chat ').map(({ attributes }) => attributes);
  expect(calls.map((attributes) => attributes['ensemble.cost_usd'])).toEqual(costs);
  expect(calls[0]).toMatchObject({
    'gen_ai.usage.input_tokens': USAGE.promptTokens,
    'gen_ai.usage.cache_read.input_tokens': USAGE.cachedPromptTokens,
    'gen_ai.usage.reasoning.output_tokens': USAGE.reasoningTokens,
  });
});

it('a run that fails is an error, and what it had begun is told', async () => {
  app.models.play(() => failing('not_found'));
  await (await ask(PANEL)).text();
  const [run] = spansOf('invoke_workflow');
  expect([run?.status.code, run?.attributes['error.type']]).toEqual([SpanStatusCode.ERROR, 'models_refused']);
  expect(spansOf('wave ').map(({ name }) => name)).toEqual(['wave draft']);
});

it('an evaluation is a run, too; one model that answers alone is a call and no workflow', async () => {
  const judge_models = [{ id: 'gpt-4o', name: 'Judge' }];
  const responses = [{ modelId: 'a', modelName: 'A', response: 'Because.' }];
  await (await app.post(EVALUATIONS_PATH, { prompt: 'Why?', responses, judge_models })).text();
  expect(spansOf('invoke_', 'chat ').map((span) => [span.name, parentOf(span)?.name])).toEqual([
    ['chat gpt-4o', 'wave judge'],
    ['invoke_workflow standard', `POST ${EVALUATIONS_PATH}`],
  ]);
  exporter.reset();
  await (await ask()).text();
  expect(spansOf('invoke_', 'wave ', 'chat ').map((span) => [span.name, parentOf(span)?.name])).toEqual([
    ['chat gpt-4o', `POST ${CHAT_PATH}`],
  ]);
});
