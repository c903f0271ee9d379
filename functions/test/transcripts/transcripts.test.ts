import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFault } from '../../src/models/model-fault';
import { type App, startApp } from '../support/app';
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

interface Transcript {
  readonly name: string;
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
  { name: 'answer-cut-off', script: () => ({ text: 'The answer is ', fault: new ModelFault('network') }) },
];

let app: App;
afterEach(() => app.close());

it.each(TRANSCRIPTS)('$name is the same, byte for byte', async ({ name, ensemble, fields, script = spoken }) => {
  app = await startApp({ script });
  const response = await app.chat({ ...USER, ...(ensemble && { ai_ensemble: ensemble }), ...fields, stream: true });
  const wire = Buffer.from(await response.arrayBuffer());
  const file = join(__dirname, `${name}.sse`);
  if (process.env['REWRITE_TRANSCRIPTS'] === '1') writeFileSync(file, wire);
  expect(wire.toString()).toBe(readFileSync(file, 'utf8'));
});
