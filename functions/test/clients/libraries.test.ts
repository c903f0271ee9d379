import { startApp } from '../support/app';
import { PLAIN, type Script } from '../support/scripted-models';
import { JAVASCRIPT, outputOf, PYTHON, testIn } from './language-scripts';

/** Programs as people write them with libraries for OpenAI: an ensemble's answer, and one in a form. */

const ANSWER = 'A tomato is a fruit.';
const VERDICT = { fruit: true, why: 'It has seeds.' };
/** Without `.chat` the AI SDK asks the Responses API. */
const REFUSED = expect.stringMatching(/^refused: Invalid input string: .* use POST \/v1\/chat\/completions/);

const all = (libraries: string, outcome: unknown) =>
  Object.fromEntries(libraries.split(' ').map((library) => [library, outcome]));
const LANGUAGES = [
  {
    ...PYTHON,
    chat: all('openai openai_streamed langchain langchain_streamed pydantic_ai agents_sdk llm llm_streamed', ANSWER),
    structured: all('openai_parse openai_stream langchain instructor_json_schema pydantic_ai_native', VERDICT),
  },
  {
    ...JAVASCRIPT,
    chat: {
      ...all('ai_sdk_openai ai_sdk_openai_streamed ai_sdk_compatible ai_sdk_compatible_streamed', ANSWER),
      ...all('langchain langchain_streamed agents_sdk', ANSWER),
      ai_sdk_openai_as_it_is: REFUSED,
    },
    structured: all('langchain ai_sdk ai_sdk_openai_output agents_sdk', VERDICT),
  },
];

/** Answers, in a form where one is asked for. */
const MODEL: Script = (call) => {
  const { purpose, outputSchema } = call;
  if (purpose !== 'answer') return PLAIN(call);
  return { text: outputSchema ? JSON.stringify(VERDICT) : ANSWER };
};

describe.each(LANGUAGES)('$variable', ({ chat, structured, ...language }) => {
  testIn(language)(
    'libraries get what is documented',
    async () => {
      await using app = await startApp({ script: MODEL, env: { RATE_LIMIT_RPM: '100' } });
      const expected = { chat, 'of one model': structured, 'of an ensemble': structured };
      const place = { BASE_URL: `${app.baseUrl}/v1`, API_KEY: app.key };
      expect(await outputOf(language, 'libraries', place)).toEqual(expected);
      // A panel drafted before each answer of an ensemble.
      const answers = Object.values(chat).filter((outcome) => outcome === ANSWER).length;
      const drafts = app.models.calls.filter(({ purpose }) => purpose === 'draft').length;
      expect(drafts).toBeGreaterThanOrEqual(2 * answers);
      const schemas = app.models.calls.filter(
        ({ purpose, outputSchema }) => purpose === 'answer' && outputSchema?.schema,
      );
      expect(schemas.length).toBeGreaterThanOrEqual(2 * Object.keys(structured).length);
    },
    240_000,
  );
});
