import type { ProviderCall } from '../../src/models/model';
import { type App, QUESTION, startApp } from '../support/app';

/** Who follows which system messages. A virtual id is all that a chat UI's user can set, so there everybody does. */

const FRENCH = 'Answer in French.';
const TABLES = 'Tables: orders(id, placed_at).';
const BOTH = `${FRENCH}\n\n${TABLES}`;
const MESSAGES = [
  { role: 'system', content: FRENCH },
  { role: 'user', content: 'Hi' },
  { role: 'developer', content: TABLES },
  { role: 'user', content: QUESTION },
];
const PANEL = { models: ['demo-blaise', 'demo-curie'] };
const NOT_USED = ['messages: 1 system message after the first'];

interface Row {
  readonly rule: string;
  readonly model: string;
  readonly options?: object;
  readonly participants: string | undefined;
  readonly arbiter: string | undefined;
  readonly ignored: readonly string[] | undefined;
}

const ROWS: readonly Row[] = [
  {
    rule: 'a plain id: the first is the arbiter’s, and that there are more is said',
    model: 'demo-ada',
    participants: undefined,
    arbiter: FRENCH,
    ignored: NOT_USED,
  },
  {
    rule: 'a plain id, shared: participants follow all, the arbiter the first',
    model: 'demo-ada',
    options: { shareSystemPrompt: true },
    participants: BOTH,
    arbiter: FRENCH,
    ignored: ['messages: 1 system message after the first, for the arbiter'],
  },
  {
    rule: 'a plain id with a systemPrompt: it takes the place of the first',
    model: 'demo-ada',
    options: { systemPrompt: 'Be kind.', shareSystemPrompt: false },
    participants: undefined,
    arbiter: 'Be kind.',
    ignored: NOT_USED,
  },
  {
    rule: 'a virtual id: everybody follows all, in order',
    model: 'ensemble',
    participants: BOTH,
    arbiter: BOTH,
    ignored: undefined,
  },
  {
    rule: 'a virtual id with a systemPrompt: it takes the place of the first for the arbiter',
    model: 'ensemble-competitive-refinement',
    options: { systemPrompt: 'Be kind.' },
    participants: BOTH,
    arbiter: `Be kind.\n\n${TABLES}`,
    ignored: undefined,
  },
  {
    rule: 'a virtual id, not shared: the arbiter alone follows all',
    model: 'ensemble',
    options: { shareSystemPrompt: false },
    participants: undefined,
    arbiter: BOTH,
    ignored: undefined,
  },
];

describe('system messages of an ensemble', () => {
  let app: App;
  beforeAll(async () => {
    app = await startApp();
  });
  beforeEach(() => app.models.reset());
  afterAll(() => app.close());

  it.each(ROWS)('$rule', async ({ model, options, participants, arbiter, ignored }) => {
    const { calls, body } = await app.complete({
      model,
      messages: MESSAGES,
      ai_ensemble: { ...PANEL, rounds: 2, ...options },
    });
    const shown = (...purposes: ProviderCall['purpose'][]) =>
      calls.filter(({ purpose }) => purposes.includes(purpose)).map(({ prompt }) => prompt.system);
    expect(shown('draft', 'revise')).toEqual([participants, participants, participants, participants]);
    expect(shown('answer')).toEqual([arbiter]);
    expect([body.ignored, body.degraded]).toEqual([ignored, undefined]);
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
      messages: [
        { role: 'system', content: 'Instructions with ~mark~.' },
        { role: 'user', content: QUESTION },
      ],
    });
    const [plan] = calls;
    expect(plan?.prompt.system).toBeUndefined();
    expect(plan?.prompt.turns.at(-1)?.text).toMatch(
      /<<([0-9a-f]{6,64}) requirements>>\nInstructions with ~mark~\.\n<<\1 end requirements>>/,
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
      const isFirst = shown.indexOf('FOR') < shown.indexOf('CON');
      if (call.purpose === 'analyse')
        return { text: JSON.stringify({ winner: isFirst ? 'A' : 'B', rationale: 'It is right.' }) };
      return { text: call.providerModel === 'demo-blaise' ? 'Speaks FOR it.' : 'Speaks CON it.' };
    });
    const { calls, body } = await app.complete({
      model: 'demo-ada',
      messages: [
        { role: 'system', content: pirate },
        { role: 'user', content: QUESTION },
      ],
      temperature: 1.8,
      ai_ensemble: { ...PANEL, strategy: 'debate_tournament', includeReasoning: true },
    });
    expect(body.degraded).toBeUndefined();
    expect(body.choices[0].message.explanation).toMatch(/^The proposition wins/);
    const verdicts = calls.filter(({ purpose }) => purpose === 'analyse');
    expect(verdicts.map(({ sampling, prompt }) => [sampling, prompt.system])).toEqual([
      [{}, undefined],
      [{}, undefined],
    ]);
    for (const { prompt } of verdicts) expect(prompt.turns.at(-1)?.text).toContain(`requirements>>\n${pirate}\n<<`);
    const answer = calls.find(({ purpose }) => purpose === 'answer');
    expect([answer?.sampling, answer?.prompt.system]).toEqual([{ temperature: 1.8 }, pirate]);
    expect(body.choices[0].message.content).toBe('Arrr, a berry it be.');
  });
});
