import { type App, startApp } from '../support/app';
import { failing } from '../support/scripted-models';
import {
  answering,
  answersOf,
  BAD,
  BAD_FLAWS,
  FORMAT,
  GOOD,
  lastTurn,
  NOT_IN_FORM,
  SCHEMA,
} from '../support/verdict-format';

/** What becomes of an answer that is not in the form asked for. */

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.models.reset());
afterAll(() => app.close());

describe('an answer that is not in the form', () => {
  it('is asked for once more with what is wrong; the second one counts', async () => {
    app.models.play(answering(BAD, GOOD));
    const { calls, body } = await app.complete({ response_format: FORMAT });
    expect(body.choices[0].message.content).toBe(GOOD);
    expect(body).not.toHaveProperty('degraded');
    expect(answersOf(calls)).toHaveLength(2);
    const [, repair] = calls;
    expect(repair?.prompt.turns.at(-2)).toEqual({ role: 'assistant', text: BAD });
    expect(lastTurn(repair)).toContain(BAD_FLAWS);
    expect(repair?.outputSchema).toEqual({ name: 'verdict', schema: SCHEMA, strict: true });
  });

  it('twice is told in degraded, and the last one is given', async () => {
    app.models.play(answering('No.', `Well: ${BAD}`));
    const { calls, body } = await app.complete({ response_format: FORMAT });
    expect(calls).toHaveLength(2);
    expect(body.choices[0].message.content).toBe(BAD);
    expect(body.degraded).toEqual([NOT_IN_FORM + BAD_FLAWS]);
  });

  it('and whose repair fails is given as it is, and told', async () => {
    let asked = 0;
    app.models.play(() => {
      asked += 1;
      return asked === 1 ? { text: BAD } : failing('unauthorized');
    });
    const { body } = await app.complete({ response_format: FORMAT });
    expect(body.choices[0].message.content).toBe(BAD);
    expect(body.degraded).toEqual([NOT_IN_FORM + BAD_FLAWS]);
  });

  it('is paid for twice', async () => {
    app.models.play((call) => ({ ...answering(BAD)(call), usage: { promptTokens: 5, completionTokens: 2 } }));
    const { body } = await app.complete({ response_format: FORMAT });
    expect(body.usage).toMatchObject({ prompt_tokens: 10, completion_tokens: 4 });
  });

  it('in its last object alone is in it, and that object is the answer', async () => {
    app.models.play(answering(`${BAD}\n${GOOD}`));
    const { body } = await app.complete({ response_format: FORMAT });
    expect(body.choices[0].message.content).toBe(GOOD);
    expect(body.degraded).toBeUndefined();
  });

  it('because it is nothing but brackets ends the run as any other', async () => {
    app.models.play(() => ({ text: '['.repeat(10_000) }));
    const { status, body } = await app.complete({ response_format: FORMAT });
    expect(status).toBe(200);
    expect(body.degraded).toEqual([`${NOT_IN_FORM}it is not one JSON value`]);
  });

  it('is not checked where its schema takes too long to follow, which is told', async () => {
    app.models.play(answering(GOOD));
    const schema = { allOf: [{ $ref: '#' }, { $ref: '#' }] };
    const { body, calls } = await app.complete({
      response_format: { type: 'json_schema', json_schema: { name: 'loop', schema } },
    });
    expect(calls).toHaveLength(1);
    expect(body.choices[0].message.content).toBe(GOOD);
    expect(body.degraded).toEqual(['The answer was not checked: its JSON Schema takes too long to follow']);
  });
});
