import { startApp } from '../support/app';
import { PLAIN } from '../support/scripted-models';
import { JAVASCRIPT, outcomesOf, PYTHON, testWith } from './libraries';

const VERDICT = { fruit: true, why: 'It has seeds.' };
const LANGUAGES = [
  {
    language: PYTHON,
    libraries: ['openai_parse', 'openai_stream', 'langchain', 'instructor_json_schema', 'pydantic_ai_native'],
  },
  { language: JAVASCRIPT, libraries: ['langchain', 'ai_sdk'] },
];

describe.each(LANGUAGES)('$language.name', ({ language, libraries }) => {
  const told = `libraries get what their schema says, from one model and from an ensemble (${language.variable})`;
  testWith(language)(
    told,
    async () => {
      await using app = await startApp({
        script: (call) => (call.purpose === 'answer' ? { text: JSON.stringify(VERDICT) } : PLAIN(call)),
      });
      const expected = ['one model', 'an ensemble'].flatMap((of) =>
        libraries.map((library) => ({ of, library, outcome: VERDICT })),
      );
      expect(await outcomesOf(language, 'structured-output', app)).toEqual(expected);
      // The schema itself reached the author of each of these answers.
      const answers = app.models.calls.filter(({ purpose }) => purpose === 'answer');
      expect(answers.map(({ outputSchema }) => outputSchema?.schema !== undefined)).toEqual(expected.map(() => true));
    },
    240_000,
  );
});
