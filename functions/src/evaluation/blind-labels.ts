import { createHmac } from 'node:crypto';
import type { EvaluationRequest, Judge } from './evaluation';

/** No vowels: a label spells no word. */
const LABEL_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';

/** Labels and orders of one evaluation, as a pure function of a server secret and the texts themselves. */
export class BlindLabels {
  readonly #key: Uint8Array;
  readonly #request: EvaluationRequest;
  /** For each response, what stands for message, text and role. */
  readonly #marks: readonly string[];

  constructor(key: Uint8Array, request: EvaluationRequest) {
    this.#key = key;
    this.#request = request;
    const message = this.#mac('prompt', request.message);
    this.#marks = request.responses.map(({ response, role }) => this.#mac('response', message, response, role ?? ''));
  }

  /** The order in which a reader sees responses; those given by index. */
  order(reader: string, responses: readonly number[]): number[] {
    return sortedBy(responses, (index) => {
      const { modelId = '', modelName = '' } = this.#request.responses[index] ?? {};
      return [this.#mac('order', reader, this.#marks[index] ?? ''), modelId, modelName];
    });
  }

  /** An opaque label for each response that a reader sees in one call, by index. */
  labels(reader: string, responses: readonly number[]): ReadonlyMap<number, string> {
    const byLabel = new Map<string, number>();
    const draw = (index: number, count: number): string => {
      const label = lettersOf(this.#mac('label', reader, this.#marks[index] ?? '', String(count)));
      return byLabel.has(label) ? draw(index, count + 1) : label;
    };
    for (const index of this.order(reader, responses)) byLabel.set(draw(index, 0), index);
    return new Map([...byLabel].map(([label, index]) => [index, label]));
  }

  /** Judges in an order that the request's does not decide. */
  judgeOrder(judges: readonly Judge[]): Judge[] {
    return sortedBy(judges, ({ id, name }) => [this.#mac('judge', id), name]);
  }

  #mac(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex');
  }
}

/** Items sorted by the first part of the key, among equals by the next. */
function sortedBy<T>(items: readonly T[], keyOf: (item: T) => readonly string[]): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item).join('\0') }));
  return keyed.sort((a, b) => Number(a.key > b.key) - Number(a.key < b.key)).map(({ item }) => item);
}

function lettersOf(mac: string): string {
  const bytes = Buffer.from(mac, 'hex').subarray(0, 4);
  return Array.from(bytes, (byte) => LABEL_LETTERS.charAt(byte % LABEL_LETTERS.length)).join('');
}
