import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ModelFault } from '../../src/models/model-fault';
import { type App, startApp } from '../support/app';
import type { Script } from '../support/scripted-models';

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

const USER = { messages: [{ role: 'user', content: 'Is a tomato a fruit?' }] };
const PANEL = ['demo-ada', 'demo-blaise', 'demo-curie'];

const transcripts: { name: string; body: Record<string, unknown>; script: Script }[] = [
  { name: 'pass-through', body: { model: 'demo-ada', ...USER }, script: spoken },
  {
    name: 'three-participants-two-rounds-everything',
    body: {
      model: 'demo-ada',
      ...USER,
      reasoning: { effort: 'high' },
      ai_ensemble: { models: PANEL, rounds: 2, includeCandidates: true, includeFollowUpPrompts: true },
    },
    script: spoken,
  },
  {
    name: 'trace',
    body: {
      model: 'demo-ada',
      ...USER,
      ai_ensemble: { models: PANEL.slice(1), rounds: 2, includeReasoning: true, includeTrace: true },
    },
    script: spoken,
  },
  { name: 'virtual-model', body: { model: 'ensemble-expert-panel', ...USER }, script: spoken },
  {
    name: 'one-participant-fails',
    body: { model: 'demo-ada', ...USER, ai_ensemble: { models: PANEL, includeReasoning: true } },
    script: (call) =>
      call.providerModel === 'demo-blaise'
        ? { text: '', usage: null, fault: new ModelFault('not_found') }
        : spoken(call),
  },
  {
    name: 'arbiter-replaced',
    body: { model: 'demo-ada', ...USER, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } },
    script: (call) =>
      call.providerModel === 'demo-ada'
        ? { text: '', usage: null, fault: new ModelFault('unauthorized') }
        : spoken(call),
  },
  {
    name: 'everybody-fails',
    body: { model: 'demo-ada', ...USER, ai_ensemble: { models: ['demo-blaise', 'demo-curie'] } },
    script: () => ({ text: '', usage: null, fault: new ModelFault('unauthorized') }),
  },
  {
    name: 'answer-cut-off',
    body: { model: 'demo-ada', ...USER },
    script: () => ({ text: 'The answer is ', fault: new ModelFault('network') }),
  },
];

describe('golden transcripts', () => {
  let app: App;

  afterEach(() => app.close());

  it.each(transcripts)('$name is the same, byte for byte', async ({ name, body, script }) => {
    app = await startApp({ script });
    const response = await app.chat({ ...body, stream: true });
    const wire = Buffer.from(await response.arrayBuffer());
    const file = join(__dirname, `${name}.sse`);
    if (process.env['REWRITE_TRANSCRIPTS'] === '1') writeFileSync(file, wire);
    expect(wire.toString()).toBe(readFileSync(file, 'utf8'));
  });
});
