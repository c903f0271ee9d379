import { type App, EVALUATIONS_PATH, startApp } from '../support/app';
import { allAt, judgeScript, ROLE_KEYS, type Scoring } from '../support/judges';
import { demoScript } from '../support/scripted-models';
import type { WireEvaluation, WireEvaluations } from '../support/wire';
import { EVALUATION_PAGE, tableOf } from './documented-page';

/** The example, the arithmetic and the roles of docs/evaluations.md, against what the service does. */

const CURL_BODY = /^curl (\S+) [^']*-d '(\{[^']*\})'$/m.exec(EVALUATION_PAGE) ?? [];
const REQUEST = JSON.parse(CURL_BODY[2] ?? '{}');

let app: App;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(() => app.models.reset());
afterAll(() => app.close());

describe('the request of docs/evaluations.md', () => {
  it('is sent to the endpoint, and is answered by demo judges as it is written', async () => {
    expect(CURL_BODY[1]).toBe(`http://127.0.0.1:8080${EVALUATIONS_PATH}`);
    app.models.play(demoScript);
    const { status, body } = await app.send<WireEvaluations>(EVALUATIONS_PATH, CURL_BODY[2]);
    expect(status).toBe(200);
    expect(body.evaluations.map(({ scoredByJudges, role }) => [scoredByJudges, role])).toEqual([
      [3, undefined],
      [3, 'redTeam'],
    ]);
    expect(body.evaluations[0]?.individualScores?.[0]?.reasoning).toContain('no language model was called');
  });
});

describe('the worked example of docs/evaluations.md', () => {
  const scores = tableOf('judge', 'response');
  const keys = [...Object.keys(allAt(0)), ...(ROLE_KEYS['redTeam'] ?? [])];
  const REASONS: Readonly<Record<string, string>> = {
    Ada: 'The attack is real and stated with its precondition.',
    Blaise: 'Sound, but it names one weakness only.',
    Curie: 'A telling attack in a thin text.',
  };

  /** A judge that gives the scores of its rows. */
  const scoresOf =
    (judge: string): Scoring =>
    ({ response }) => {
      const letter = response === REQUEST.responses[0].response ? 'A' : 'B';
      const cells = scores.find(([name, which]) => name === judge && which === letter)?.slice(2) ?? [];
      const given = keys.flatMap((key, at) => (cells[at] === '' ? [] : [[key, Number(cells[at])]]));
      return { ...Object.fromEntries(given), reasoning: REASONS[judge] };
    };

  async function played(fields: object = {}): Promise<readonly WireEvaluation[]> {
    app.models.play(
      judgeScript({ 'demo-ada': scoresOf('Ada'), 'demo-blaise': scoresOf('Blaise'), 'demo-curie': scoresOf('Curie') }),
    );
    return (await app.send<WireEvaluations>(EVALUATIONS_PATH, { ...REQUEST, ...fields })).body.evaluations;
  }

  it('has the consensus, variance and divergence of the table, plain and weighted', async () => {
    const [plain, weighted] = [await played(), await played({ weighted: true })];
    const columns = [...plain, ...weighted].map((one): object => ({ ...one.criteria, ...one }));
    const rows = tableOf('field', 'A');
    expect(rows.map(([field]) => field)).toEqual([
      ...keys,
      'overallScore',
      'overallScoreVariance',
      'divergencePercent',
    ]);
    for (const [field = '', ...cells] of rows) {
      const shown = cells.map((cell) => (cell === '' ? undefined : Number(cell)));
      expect([field, ...columns.map((column) => new Map(Object.entries(column)).get(field))]).toEqual([
        field,
        ...shown,
      ]);
    }
  });

  it('has the replies that are written out', async () => {
    const [first, second] = await played();
    expect(second).toStrictEqual(JSON.parse(/^```json\n(.*?)^```$/ms.exec(EVALUATION_PAGE)?.[1] ?? ''));
    expect(first?.reasoning).toBe(`${REASONS['Ada']} ${/`(The judges disagree: .*?)`/.exec(EVALUATION_PAGE)?.[1]}`);
  });
});
