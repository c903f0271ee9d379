import { allAt, judgeScript, type Scoring } from '../../test/support/judges';
import { runParts, UNREAD } from '../../test/support/run-parts';
import { type Script, scriptedModels } from '../../test/support/scripted-models';
import { isRefusal } from '../errors';
import { ByteBudget } from '../lib/byte-budget';
import { createCatalog } from '../models/catalog';
import { createGateway } from '../models/gateway/gateway';
import { admit } from '../runs/admit';
import { run } from '../runs/run';
import type { JudgeEvent } from './evaluation';
import { EVALUATION_STRATEGIES, type EvaluationRequest } from './evaluation';
import { openEvaluation } from './open-evaluation';

const { modelOf } = createCatalog();

function requestOf(strategy: keyof typeof EVALUATION_STRATEGIES): EvaluationRequest {
  return {
    message: 'Is a tomato a fruit?',
    responses: ['It is.', 'It is not.'].map((response, index) => ({
      ...{ modelId: `author-${index}`, modelName: `Author ${index}`, response },
    })),
    judges: ['x', 'y'].map((id, index) => ({ index, id, name: id.toUpperCase(), model: modelOf(id) })),
    strategy: EVALUATION_STRATEGIES[strategy],
    mode: 'standard',
    weighted: false,
    canonicalId: (name) => name,
  };
}

/** What an evaluation tells, and what comes of it, observed or not. */
async function evaluate(request: EvaluationRequest, script: Script, observed = true) {
  const { deps, clock, request: asked } = runParts();
  const models = scriptedModels(clock, script);
  const events: JudgeEvent[] = [];
  const opened = openEvaluation(request, {
    labelKey: new Uint8Array(32),
    requestId: asked.id,
    ...(observed && { observe: (event) => void events.push(event) }),
  });
  if (isRefusal(opened)) throw new Error(opened.text);
  const gateway = createGateway({ clock, provider: () => models });
  const admitted = await admit({ ...deps, gateway, memory: new ByteBudget(10 ** 9) }, asked, opened);
  if (isRefusal(admitted)) throw new Error(admitted.text);
  const ended = await clock.settle(run(admitted, UNREAD), 600_000);
  return { events, ended, calls: models.calls };
}

const line = ({ judge, response, round, state, scores, reason }: JudgeEvent): string =>
  [round, judge.name, response, state, scores?.accuracy ?? reason ?? ''].join(' ').trim();

describe('the events of an evaluation', () => {
  it('tell of a second look, at contested responses only', async () => {
    const contest =
      (first: number): Scoring =>
      ({ response, yours }) =>
        allAt(!yours && response.includes('not') ? first : 7);
    const { events } = await evaluate(
      requestOf('competitive_refinement'),
      judgeScript({ x: contest(3), y: contest(8) }),
    );
    const second = events.filter(({ round }) => round === 2);
    expect(second.map(line).sort()).toEqual(['2 X 1 done 7', '2 X 1 started', '2 Y 1 done 7', '2 Y 1 started']);
  });

  it('tell once of a judge that is asked again for what could not be used', async () => {
    let calls = 0;
    const spoilt: Scoring = () => {
      calls += 1;
      return calls > 2 ? allAt(6) : { accuracy: 'high' };
    };
    const { events, calls: made } = await evaluate(requestOf('standard'), judgeScript({ x: spoilt }));
    expect(made.filter(({ providerModel }) => providerModel === 'x')).toHaveLength(2);
    expect(
      events
        .map(line)
        .filter((told) => told.includes('X'))
        .sort(),
    ).toEqual([...['1 X 0 started', '1 X 1 started', '1 X 0 done 6', '1 X 1 done 6'].toSorted()]);
  });
});
