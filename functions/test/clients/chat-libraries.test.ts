import { startApp } from '../support/app';
import { startOddUpstream } from '../support/odd-upstream';
import { JAVASCRIPT, outcomesOf, PYTHON, testWith } from './libraries';

/** What people write to get an ensemble's answer, with a library that was made for OpenAI. */

const ANSWER = 'A tomato is a fruit.';
const VERDICT = { fruit: true, why: 'It has seeds.' };
const REFUSED = expect.stringMatching(/^refused: Invalid input string: .* use POST \/v1\/chat\/completions/);
const EXPECTED = [
  {
    language: PYTHON,
    outcomes: {
      openai: ANSWER,
      openai_streamed: ANSWER,
      langchain: ANSWER,
      langchain_streamed: ANSWER,
      pydantic_ai: ANSWER,
      agents_sdk: ANSWER,
      llm: ANSWER,
      llm_streamed: ANSWER,
    },
  },
  {
    language: JAVASCRIPT,
    outcomes: {
      ai_sdk_openai: ANSWER,
      ai_sdk_openai_streamed: ANSWER,
      ai_sdk_openai_object: VERDICT,
      ai_sdk_openai_output: VERDICT,
      // Without `.chat` it asks the Responses API.
      ai_sdk_openai_as_it_is: REFUSED,
      ai_sdk_compatible: ANSWER,
      ai_sdk_compatible_streamed: ANSWER,
      langchain: ANSWER,
      langchain_streamed: ANSWER,
    },
  },
];

const PANEL = { DEFAULT_MODEL: 'm-arbiter', DEFAULT_PANEL: 'm-a,m-b,m-c' };

describe.each(EXPECTED)('$language.name', ({ language, outcomes }) => {
  const expected = Object.entries(outcomes).map(([library, outcome]) => ({ library, outcome }));

  testWith(language)(
    `libraries get the answer of an ensemble (${language.variable})`,
    async () => {
      await using app = await startApp({
        script: ({ purpose, outputSchema }) => {
          if (purpose !== 'answer') return { text: 'A draft.' };
          return { text: outputSchema ? JSON.stringify(VERDICT) : ANSWER };
        },
      });
      expect(await outcomesOf(language, 'chat', app)).toEqual(expected);
      // Each of them was answered by a panel: somebody drafted before the answer.
      const answers = Object.values(outcomes).filter((outcome) => outcome !== REFUSED).length;
      const drafts = app.models.calls.filter(({ purpose }) => purpose === 'draft').length;
      expect(drafts).toBeGreaterThanOrEqual(2 * answers);
    },
    240_000,
  );

  testWith(language)(
    `libraries get the same where no server replies as documented (${language.variable})`,
    async () => {
      const upstream = await startOddUpstream(({ response_format }) => ({
        text: response_format ? JSON.stringify(VERDICT) : ANSWER,
      }));
      await using app = await startApp({
        providers: {},
        env: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${upstream.url}/v1`, ...PANEL },
      });
      expect(await outcomesOf(language, 'chat', app).finally(upstream.close)).toEqual(expected);
    },
    240_000,
  );
});
