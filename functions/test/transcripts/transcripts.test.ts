import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFault } from '../../src/models/model-fault';
import { type App, CHAT_PATH, startApp } from '../support/app';
import { failing, type Script } from '../support/scripted-models';

/**
 * Golden transcripts: the wire text of whole streams, byte for byte, with a fixed clock and fixed ids. To accept an
 * intended change run the suite with `REWRITE_TRANSCRIPTS=1` and read the diff.
 */

const spoken: Script = ({ providerModel, purpose }) => {
  if (purpose === 'analyse') {
    return { text: '{"winner":"A","rationale":"Candidate A is precise.","dissent":["Candidate B doubts it."]}' };
  }
  if (purpose === 'cast') return { text: '{"lenses":[{"name":"Botanist","focus":"What a fruit is."}]}' };
  if (purpose === 'follow_ups') return { text: '["Why?", "Since when?", "Says who?"]' };
  if (purpose === 'revise')
    return { text: `${providerModel} refined — “ünïcode” 🍅.\nREVISION: changed; BALLOT: A > B` };
  return { text: `${providerModel} says: yes.` };
};

const USER = { model: 'demo-ada', messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };
const PANEL = ['demo-ada', 'demo-blaise', 'demo-curie'];

/** One of the models fails. */
function without(model: string, fault: 'not_found' | 'unauthorized'): Script {
  return (call) => (call.providerModel === model ? failing(fault) : spoken(call));
}

const cutOff: Script = () => ({ text: 'The answer is ', fault: new ModelFault('network') });

/** A thought, words, and a call beside them. */
const calling: Script = () => ({
  text: 'I look.',
  thoughts: [{ reasoning_content: 'Where?' }],
  toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"town":"Bergen"}' }],
});
const WEATHER = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
const RESPONSES_PATH = '/openai/v1/responses';
const INPUT = { messages: undefined, input: 'Is a tomato a fruit?' };
const STRICT_PATH = `/openai${CHAT_PATH}`;
const FORECAST = { name: 'weather', input_schema: { type: 'object' } };
const MESSAGES_PATH = '/anthropic/v1/messages';

interface Transcript {
  readonly name: string;
  /** Default: that of the contract. */
  readonly path?: string;
  readonly ensemble?: object;
  readonly fields?: object;
  /** Default: everybody speaks. */
  readonly script?: Script;
}

const TRANSCRIPTS: readonly Transcript[] = [
  { name: 'pass-through' },
  {
    name: 'three-participants-two-rounds-everything',
    ensemble: { models: PANEL, rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
    fields: { reasoning: { effort: 'high' } },
  },
  { name: 'trace', ensemble: { models: PANEL.slice(1), rounds: 2, includeReasoning: true, includeTrace: true } },
  { name: 'virtual-model', fields: { model: 'ensemble-expert-panel' } },
  {
    name: 'one-participant-fails',
    ensemble: { models: PANEL, includeReasoning: true },
    script: without('demo-blaise', 'not_found'),
  },
  { name: 'arbiter-replaced', ensemble: { models: PANEL.slice(1) }, script: without('demo-ada', 'unauthorized') },
  { name: 'everybody-fails', ensemble: { models: PANEL.slice(1) }, script: () => failing('unauthorized') },
  { name: 'answer-cut-off', script: cutOff },
  { name: 'openai-one-model', path: STRICT_PATH },
  {
    name: 'openai-everything-with-usage',
    path: STRICT_PATH,
    ensemble: { models: PANEL.slice(1), rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
    fields: { reasoning: { effort: 'high' }, stream_options: { include_usage: true } },
  },
  { name: 'openai-tools', path: STRICT_PATH, fields: { tools: [WEATHER] }, script: calling },
  {
    name: 'openai-answer-at-its-limit',
    path: STRICT_PATH,
    fields: { stream_options: { include_usage: true } },
    script: () => ({ text: 'The answer is', finishReason: 'length' }),
  },
  { name: 'openai-answer-cut-off', path: STRICT_PATH, script: cutOff },
  {
    name: 'anthropic-ensemble',
    path: MESSAGES_PATH,
    ensemble: { models: PANEL.slice(1), includeCandidates: true, includeFollowUpPrompts: true },
    fields: { max_tokens: 100, top_k: 5 },
  },
  {
    name: 'anthropic-tools',
    path: MESSAGES_PATH,
    fields: { max_tokens: 100, thinking: { type: 'enabled', budget_tokens: 1_024 }, tools: [FORECAST] },
    script: calling,
  },
  { name: 'anthropic-answer-cut-off', path: MESSAGES_PATH, fields: { max_tokens: 100 }, script: cutOff },
  { name: 'responses-one-model', path: RESPONSES_PATH, fields: INPUT },
  {
    name: 'responses-everything',
    path: RESPONSES_PATH,
    ensemble: { models: PANEL.slice(1), includeReasoning: true, includeCandidates: true, includeFollowUpPrompts: true },
    fields: INPUT,
  },
  {
    name: 'responses-tools',
    path: RESPONSES_PATH,
    fields: {
      ...INPUT,
      tools: [
        { type: 'function', ...WEATHER.function },
        { type: 'custom', name: 'apply_patch' },
      ],
    },
    script: (call) => {
      const { text, toolCalls = [] } = calling(call);
      const patch = { id: 'call_9', name: 'apply_patch', arguments: '{"input":"a \\"b\\""}' };
      return { text, thoughts: [{ reasoning_content: 'Hm.' }], toolCalls: [...toolCalls, patch] };
    },
  },
  {
    name: 'responses-answer-at-its-limit',
    path: RESPONSES_PATH,
    fields: INPUT,
    script: () => ({ text: 'The answer is', finishReason: 'length' }),
  },
  { name: 'responses-answer-cut-off', path: RESPONSES_PATH, fields: INPUT, script: cutOff },
];

let app: App;
afterEach(() => app.close());

it.each(TRANSCRIPTS)('$name is the same, byte for byte', async (transcript) => {
  const { name, path = CHAT_PATH, ensemble, fields, script = spoken } = transcript;
  app = await startApp({ script });
  const body = { ...USER, ...(ensemble && { ai_ensemble: ensemble }), ...fields, stream: true };
  const response = await app.post(path, body);
  const wire = Buffer.from(await response.arrayBuffer());
  const file = join(__dirname, `${name}.sse`);
  if (process.env['REWRITE_TRANSCRIPTS'] === '1') writeFileSync(file, wire);
  expect(wire.toString()).toBe(readFileSync(file, 'utf8'));
});
