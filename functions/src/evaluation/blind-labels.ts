import { createHmac } from 'node:crypto';
import type { EvaluationRequest, Judge } from './evaluation';

/** No vowels: a label spells no word. */
const LABEL_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Labels and orders of one evaluation, as a pure function of a server secret and the texts themselves. */
export class BlindLabels {
  readonly #key: Uint8Array;
  /** For each response, what stands for message, text and role; then its model, which tells equal texts apart. */
  readonly #marks: readonly (readonly [mark: string, model: string])[];

  constructor(key: Uint8Array, { message, responses }: Pick<EvaluationRequest, 'message' | 'responses'>) {
    this.#key = key;
    const prompt = this.#mac('prompt', message).toString('hex');
    this.#marks = responses.map(({ response, role = '', modelId, modelName }) => [
      this.#mac('response', prompt, response, role).toString('hex'),
      `${modelId}\0${modelName}`,
    ]);
  }

  /** The order in which a reader sees responses; those given by index. */
  order(reader: string, responses: readonly number[]): number[] {
    return sortedBy(responses, (index) => {
      const [mark = '', model = ''] = this.#marks[index] ?? [];
      return `${this.#mac('order', reader, mark).toString('hex')}\0${model}`;
    });
  }

  /** An opaque label for each response that a reader sees in one call, by index. */
  labels(reader: string, responses: readonly number[]): ReadonlyMap<number, string> {
    const byLabel = new Map<string, number>();
    const draw = (index: number, count: number): string => {
      const bytes = this.#mac('label', reader, this.#marks[index]?.[0] ?? '', String(count)).subarray(0, 4);
      const label = Array.from(bytes, (byte) => LABEL_LETTERS.charAt(byte % LABEL_LETTERS.length)).join('');
      return byLabel.has(label) ? draw(index, count + 1) : label;
    };
    for (const index of this.order(reader, responses)) byLabel.set(draw(index, 0), index);
    return new Map([...byLabel].map(([label, index]) => [index, label]));
  }

  /** Judges in an order that the request's does not decide. */
  judgeOrder(judges: readonly Judge[]): Judge[] {
    return sortedBy(judges, ({ id, name }) => `${this.#mac('judge', id).toString('hex')}\0${name}`);
  }

  #mac(...parts: readonly string[]): Buffer {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest();
  }
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key)).map(({ item }) => item);
}
