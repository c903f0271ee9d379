import { STRATEGY_NAMES, type StrategyName } from '../../src/ensemble/strategies/strategies';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { demoScript } from '../support/scripted-models';
import { readStream, type WireStream } from '../support/wire';

/** First run without a provider key: the built-in models, in every strategy. */

const MODELS = ['demo-ada', 'demo-blaise', 'demo-curie', 'demo-dissenter'];
const MINUTE_MS = 60_000;

interface Game {
  /** After which round the demo models are done, and what is said then. */
  readonly ends?: { readonly after: number; readonly words: string };
  /** A heading that only this strategy's explanation has, or its opening. */
  readonly explains: RegExp;
}

const GAMES: Readonly<Record<StrategyName, Game>> = {
  competitive_refinement: {
    ends: { after: 3, words: 'All drafts stand' },
    explains: /^Strongest answer: [Dd]emo.*\n\n[\s\S]*Agreed:\n- /,
  },
  collaborative_synthesis: {
    ends: { after: 3, words: 'Nothing was left to add' },
    explains: /Where the parts come from:\n- [Dd]emo/,
  },
  expert_panel: {
    ends: { after: 3, words: 'No new dissent' },
    explains: /Agreed:\n- [\s\S]*Roles:\n- Demo Ada: Botanist/,
  },
  debate_tournament: {
    ends: { after: 3, words: 'Neither side has anything to add' },
    explains: /^(?:The (?:proposition|opposition) wins|Split): [\s\S]*Roles:\n- Demo Ada: (?:proposition|both)/,
  },
  hierarchical: {
    ends: { after: 2, words: 'approves' },
    explains: /Requirements met:\n- [\s\S]*Plan:\n- 1\. In botany.* \(Demo [AB][\s\S]*Review:\n- /,
  },
  chain_of_thought: {
    ends: { after: 3, words: 'Every chain is verified' },
    explains: /Final answers:\n(?:- .+\n)*- (?:both|yes, a berry): .*Demo Ada/,
  },
  red_team_blue_team: {
    ends: { after: 2, words: 'Nothing serious was found' },
    explains: /Fixed:\n- [\s\S]*Residual risks:\n- /,
  },
};

const COMBINATIONS = STRATEGY_NAMES.flatMap((strategy) =>
  [1, 2, 3, 4].flatMap((n) => [1, 2, 3].map((rounds) => ({ strategy, n, rounds }))),
);

describe('the demo models', () => {
  const app = during('all', () => startApp({ script: demoScript }));

  async function play(strategy: StrategyName, n: number, rounds: number): Promise<WireStream> {
    // A minute later the rate limit is fresh.
    await app.clock.advance(MINUTE_MS);
    app.models.reset();
    const ai_ensemble = {
      strategy,
      rounds,
      models: MODELS.slice(0, n),
      includeCandidates: true,
      includeReasoning: true,
    };
    const response = await app.chat({ stream: true, ai_ensemble });
    expect(response.status).toBe(200);
    return readStream(response);
  }

  function stopsIn({ chunks }: WireStream): string[] {
    return chunks.flatMap(({ status = '' }) => (/ after round \d+ of \d+$/.test(status) ? [status] : []));
  }

  it.each(COMBINATIONS)('play $strategy: n = $n, r = $rounds', async ({ strategy, n, rounds }) => {
    const game = GAMES[strategy];
    const stream = await play(strategy, n, rounds);
    expect(stream.done).toBe(true);
    expect(stream.chunks.filter(({ degraded, error }) => degraded ?? error)).toEqual([]);
    expect(stream.content).toMatch(/^Yes in botany, no in the kitchen[\s\S]*\n\n\(Scripted demo answer: .*\)$/);

    const candidates = stream.chunks.flatMap((chunk) => chunk.candidates ?? []);
    for (const { text } of candidates) expect(text).not.toMatch(/built-in|scripted/);
    if (n > 1) expect(new Set(candidates.map(({ text }) => text)).size).toBe(candidates.length);

    const explanation = stream.chunks.at(-1)?.choices[0]?.explanation ?? '';
    expect(explanation).toMatch(game.explains);
    expect(explanation).not.toMatch(/undefined|null|\b(?:Candidate|Answer|Side) [A-Z]\b|[Cc]andidate part/);

    const played = Math.min(rounds, game.ends?.after ?? rounds);
    const stop = `after round ${played} of ${rounds}`;
    expect(stopsIn(stream)).toEqual(played < rounds ? [expect.stringMatching(`${game.ends?.words} ${stop}$`)] : []);
  });

  const schema = {
    type: 'object',
    properties: { title: { type: 'string' }, year: { type: 'integer', minimum: 1_900 } },
    required: ['title', 'year'],
    additionalProperties: false,
  };
  const complete = async (fields: Readonly<Record<string, unknown>>) => {
    await app.clock.advance(MINUTE_MS);
    return app.complete(fields);
  };

  it.each(STRATEGY_NAMES)('%s: answer in the form of a schema, as do the candidates', async (strategy) => {
    const { body } = await complete({
      response_format: { type: 'json_schema', json_schema: { name: 'book', schema } },
      ai_ensemble: { strategy, rounds: 2, models: MODELS.slice(0, 3), includeCandidates: true },
    });
    expect(JSON.parse(body.choices[0].message.content)).toEqual({ title: 'demo', year: 1_900 });
    expect(body).not.toHaveProperty('degraded');
    expect(body.choices[0].agreement).toEqual({ '/title': 1, '/year': 1 });
  });
});
