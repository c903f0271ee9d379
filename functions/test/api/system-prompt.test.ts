import type { ProviderCall } from '../../src/models/model';
import { QUESTION, sharedApp } from '../support/app';

/** Readers of each system message. A virtual id is all that a chat UI's user can set, so there everybody does. */

const FRENCH = 'Answer in French.';
const TABLES = 'Tables: orders(id, placed_at).';
const BOTH = `${FRENCH}\n\n${TABLES}`;
const KIND = 'Be kind.';
const MESSAGES = [
  { role: 'system', content: FRENCH },
  { role: 'user', content: 'Hi' },
  { role: 'developer', content: TABLES },
  { role: 'user', content: QUESTION },
];
const PANEL = { models: ['demo-blaise', 'demo-curie'] };
const NOT_USED = ['messages: 1 system message after the first'];
const NOT_FOR_ARBITER = ['messages: 1 system message after the first, for the arbiter'];
const LONGEST = `${'a'.repeat(99_999)}b`;
const VIRTUAL = 'ensemble-competitive-refinement';

/** `ai_ensemble.systemPrompt` beside the first system message, and the arbiter's instructions. */
const INSTRUCTIONS: readonly (readonly [option: unknown, message: string | undefined, expected: string | undefined])[] =
  [
    [undefined, undefined, undefined],
    [undefined, FRENCH, FRENCH],
    [KIND, undefined, KIND],
    [KIND, FRENCH, KIND],
    ['', FRENCH, FRENCH],
    ['', undefined, undefined],
    [null, FRENCH, FRENCH],
    [LONGEST, undefined, LONGEST],
    [`${LONGEST}c`, undefined, LONGEST],
  ];

/** Instructions of participants and arbiter where there are two system messages, and the parts told as ignored. */
type Text = string | undefined;
const SHARED: readonly (readonly [string, object, Text, Text, readonly string[] | undefined])[] = [
  ['demo-ada', {}, undefined, FRENCH, NOT_USED],
  ['demo-ada', { shareSystemPrompt: true }, BOTH, FRENCH, NOT_FOR_ARBITER],
  ['demo-ada', { systemPrompt: KIND, shareSystemPrompt: false }, undefined, KIND, NOT_USED],
  ['ensemble', {}, BOTH, BOTH, undefined],
  [VIRTUAL, { systemPrompt: KIND }, BOTH, `${KIND}\n\n${TABLES}`, undefined],
  ['ensemble', { shareSystemPrompt: false }, undefined, BOTH, undefined],
];

const app = sharedApp();

describe.each([
  ['one model', ['demo-ada']],
  ['an ensemble', PANEL.models],
])('the instructions of %s', (_, models) => {
  it.each(INSTRUCTIONS)('%.20j beside the system message %j', async (systemPrompt, message, expected) => {
    const system = message === undefined ? [] : [{ role: 'system', content: message }];
    const { status, calls } = await app.complete({
      messages: [...system, { role: 'user', content: QUESTION }],
      ai_ensemble: { models, ...(systemPrompt !== undefined && { systemPrompt }) },
    });
    expect(status).toBe(200);
    const answers = calls.filter(({ purpose }) => purpose === 'answer');
    expect(answers.map(({ prompt }) => prompt.system)).toEqual([expected]);
  });
});

it.each(SHARED)('%s with %j: the participants follow %j', async (model, options, participants, arbiter, ignored) => {
  const ai_ensemble = { ...PANEL, rounds: 2, ...options };
  const { calls, body } = await app.complete({ model, messages: MESSAGES, ai_ensemble });
  const shown = (...purposes: ProviderCall['purpose'][]) =>
    calls.filter(({ purpose }) => purposes.includes(purpose)).map(({ prompt }) => prompt.system);
  expect(shown('draft', 'revise')).toEqual([participants, participants, participants, participants]);
  expect(shown('answer')).toEqual([arbiter]);
  expect([body.ignored, body.degraded]).toEqual([ignored, undefined]);
});

it('participants never see the arbiter’s, in no round and no form, also when the arbiter takes part itself', async () => {
  const ai_ensemble = { models: ['demo-ada', 'demo-curie'], rounds: 3, systemPrompt: 'SECRET-WORD' };
  const { calls } = await app.complete({ messages: MESSAGES, ai_ensemble });
  const participants = calls.filter(({ purpose }) => purpose !== 'answer');
  expect(participants).toHaveLength(2 * 3);
  const seen = JSON.stringify(participants.map(({ prompt }) => prompt));
  for (const words of ['SECRET-WORD', FRENCH, TABLES]) expect(seen).not.toContain(words);
});

it('one model of a virtual id follows all of them in its one call', async () => {
  const { calls } = await app.complete({
    model: 'ensemble',
    messages: MESSAGES,
    ai_ensemble: { models: ['demo-ada'] },
  });
  expect(calls.map(({ purpose, prompt }) => [purpose, prompt.system])).toEqual([['answer', BOTH]]);
});

it('what a judge is quoted cannot leave its fence', async () => {
  const { calls } = await app.complete({
    model: 'ensemble-hierarchical',
    messages: [{ role: 'system', content: 'Instructions with ~mark~.' }, ...MESSAGES.slice(1)],
  });
  expect(calls[0]?.prompt.system).toBeUndefined();
  expect(calls[0]?.prompt.turns.at(-1)?.text).toMatch(
    /<<([0-9a-f]{6,64}) requirements>>\nInstructions with ~mark~\.\n\n.*\n<<\1 end requirements>>/,
  );
});

it.each([1, 'yes'])('shareSystemPrompt %j is no boolean (400)', async (shareSystemPrompt) => {
  const response = await app.chat({ ai_ensemble: { shareSystemPrompt } });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Invalid ai_ensemble.shareSystemPrompt: must be a boolean');
});

it('a persona and a temperature decide no debate: the verdict is read without them, the answer written with them', async () => {
  const pirate = 'Always speak as a pirate.';
  app.models.play(({ prompt, sampling: { temperature = 0 }, ...call }) => {
    if (prompt.system === pirate || temperature > 1) return { text: 'Arrr, a berry it be.' };
    const shown = JSON.stringify(prompt.turns);
    const winner = shown.indexOf('FOR') < shown.indexOf('CON') ? 'A' : 'B';
    if (call.purpose === 'analyse') return { text: JSON.stringify({ winner, rationale: 'It is right.' }) };
    return { text: call.providerModel === 'demo-blaise' ? 'Speaks FOR it.' : 'Speaks CON it.' };
  });
  const { calls, body } = await app.complete({
    messages: [{ role: 'system', content: pirate }, ...MESSAGES.slice(3)],
    temperature: 1.8,
    ai_ensemble: { ...PANEL, strategy: 'debate_tournament', includeReasoning: true },
  });
  expect(body.degraded).toBeUndefined();
  expect(body.choices[0].message.explanation).toMatch(/^The proposition wins/);
  const verdicts = calls.filter(({ purpose }) => purpose === 'analyse');
  expect(verdicts).toHaveLength(2);
  for (const { prompt, sampling } of verdicts) {
    expect([sampling, prompt.system]).toEqual([{}, undefined]);
    expect(prompt.turns.at(-1)?.text).toContain(`requirements>>\n${pirate}\n<<`);
  }
  const answer = calls.find(({ purpose }) => purpose === 'answer');
  expect([answer?.sampling, answer?.prompt.system]).toEqual([{ temperature: 1.8 }, pirate]);
  expect(body.choices[0].message.content).toBe('Arrr, a berry it be.');
});
