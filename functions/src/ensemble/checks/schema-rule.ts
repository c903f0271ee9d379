import { readAnswer } from '../form/read-answer';
import type { CheckRule } from './answer-checks';

/** The JSON in a text, the last of several, must fit this JSON Schema. Words may stand around it. */
export function schemaRule(schema: { readonly [keyword: string]: unknown }): CheckRule {
  return {
    name: 'jsonSchema',
    requirement: `It is, or has in it, one JSON value that fits this JSON Schema: ${JSON.stringify(schema)}`,
    check: (text) => {
      const { value, flaws, givenUp } = readAnswer(text, { name: 'answer', schema });
      if (value === undefined) return { passed: false, words: 'no JSON value is found in it' };
      if (givenUp) return { passed: null, words: 'its JSON Schema takes too long to follow' };
      if (flaws.length === 0) return { passed: true, words: 'its JSON fits the schema' };
      return { passed: false, words: `its JSON does not fit the schema: ${flaws.join('; ')}` };
    },
  };
}
