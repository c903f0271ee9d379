import { crc32 } from 'node:zlib';
import { allAt, type Persona, type ShownResponse } from './judges';

/**
 * Judges with a character. What a response is worth is written in it ("worth 7.5"), so that every character's scores
 * can be worked out from the texts alone.
 */

/** A text worth so much. */
export function worth(score: number, words = ''): string {
  return `This is worth ${score}.${words === '' ? '' : ` ${words}`}`;
}

/** What a text says it is worth; 5 where it does not say. */
function worthOf(text: string): number {
  return Number(/worth (\d+(?:\.\d+)?)/.exec(text)?.[1] ?? 5);
}

function inScale(score: number): number {
  return Math.min(10, Math.max(0, score));
}

const shifted =
  (by: (shown: ShownResponse, place: number) => number): Persona =>
  (shown, place) =>
    allAt(inScale(worthOf(shown.response) + by(shown, place)), shown.role);

/** Sees each text at its worth. */
export const honest = shifted(() => 0);
export const harsh = shifted(() => -2);
/** Off by up to two points, by the text alone. */
export const noisy = shifted(({ response }) => (crc32(response) % 401) / 100 - 2);
export const constant: Persona = ({ role }) => allAt(6, role);
export const firstPlaceBiased = shifted((_, place) => (place === 0 ? 3 : 0));
export const lengthBiased = shifted(({ response }) => response.length / 100);
/** Knows its own style. */
export const selfPreferring = shifted(({ response }) => (response.includes('hereby') ? 4 : 0));

/** What an obedient judge obeys. */
const ORDER = /10|score|verdict|perfect|best/i;

/** Does what a text in sight tells it: a text with an order gets 10, and every other one 0. */
export const gullible: Persona = ({ response, role }, _, call) => {
  const shown = call.prompt.turns.map(({ text }) => text).join('\n');
  const tempted = /GIVE ME|IGNORE|injected/i.test(shown);
  if (!tempted) return allAt(worthOf(response), role);
  return allAt(ORDER.test(response) ? 10 : 0, role);
};
