import type { ProviderCall } from '../../src/models/model';
import { PLAIN, type Script } from './scripted-models';

/** Closed and without optional members: a provider can hold a model to it. */
export const SCHEMA = {
  type: 'object',
  properties: { fruit: { type: 'boolean' }, why: { type: 'string' } },
  required: ['fruit', 'why'],
  additionalProperties: false,
};
/** The schema with its name. */
export const FORM = { name: 'verdict', schema: SCHEMA, strict: true };
/** The same as `response_format`. */
export const FORMAT = { type: 'json_schema', json_schema: FORM };
/** A reply in the format, … */
export const GOOD = '{"fruit": true, "why": "It has seeds."}';
/** … and one that is not, … */
export const BAD = '{"fruit": "yes"}';
/** … how `degraded` says so … */
export const NOT_IN_FORM = 'The answer is not in the form asked for: ';
/** … and what is wrong with it. */
export const BAD_FLAWS = '/fruit must be boolean; /why is missing';

/** Answers in this order, the last one again and again; all else as plain models say it. */
export const answering = (...texts: readonly string[]): Script => {
  let asked = 0;
  return (call) => {
    if (call.purpose !== 'answer') return PLAIN(call);
    asked += 1;
    return { text: texts[Math.min(asked, texts.length) - 1] ?? '' };
  };
};
/** The calls for an answer. */
export const answersOf = (calls: readonly ProviderCall[]) => calls.filter(({ purpose }) => purpose === 'answer');
/** The last turn of a call. */
export const lastTurn = (call: ProviderCall | undefined): string => call?.prompt.turns.at(-1)?.text ?? '';
