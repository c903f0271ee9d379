import { createHmac } from 'node:crypto';
import type { EvaluationRequest, Judge } from './evaluation';

/** No vowels: a label spells no word. */
const LABEL_LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const LABEL_LENGTH = 4;

/**
 * Labels and orders of one evaluation, as a pure function of a server secret and the texts themselves. The place of a
 * response in the request decides nothing, so permuting a request leaves every judge's prompt as it was; its author
 * can neither foresee a label nor aim for a place. Model ids only tell apart responses with the very same text and role.
 */
export class Layout {
  readonly #key: Uint8Array;
  readonly #request: EvaluationRequest;
  /** Stands for prompt, text and role of each response. */
  readonly #marks: readonly string[];

  constructor(key: Uint8Array, request: EvaluationRequest) {
    this.#key = key;
    this.#request = request;
    const prompt = this.#mac('prompt', request.prompt);
    this.#marks = request.responses.map(({ response, role }) => this.#mac('response', prompt, response, role ?? ''));
  }

  /** The order in which a reader sees responses; those given by index. */
  order(reader: string, responses: readonly number[]): number[] {
    return sortedBy(responses, (index) => [
      this.#mac('order', reader, this.#marks[index] ?? ''),
      this.#request.responses[index]?.modelId ?? '',
      this.#request.responses[index]?.modelName ?? '',
    ]);
  }

  /** An opaque label for each response that a reader sees in one call, by index. */
  labels(reader: string, responses: readonly number[]): ReadonlyMap<number, string> {
    const labels = new Map<number, string>();
    const taken = new Set<string>();
    for (const index of this.order(reader, responses)) {
      let draw = 0;
      let label: string;
      do {
        label = letters(this.#mac('label', reader, this.#marks[index] ?? '', String(draw)));
        draw += 1;
      } while (taken.has(label));
      taken.add(label);
      labels.set(index, label);
    }
    return labels;
  }

  /** Judges in an order that the request's does not decide. */
  judgeOrder(judges: readonly Judge[]): Judge[] {
    return sortedBy(judges, ({ id, name }) => [this.#mac('judge', id), name]);
  }

  #mac(...parts: readonly string[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(parts)).digest('hex');
  }
}

function sortedBy<T>(items: readonly T[], keyOf: (item: T) => readonly string[]): T[] {
  const keyed = items.map((item) => ({ item, key: keyOf(item) }));
  return keyed.sort((a, b) => compare(a.key, b.key)).map(({ item }) => item);
}

function compare(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((part, index) => part !== b[index]);
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1;
}

function letters(mac: string): string {
  const bytes = Buffer.from(mac, 'hex').subarray(0, LABEL_LENGTH);
  return Array.from(bytes, (byte) => LABEL_LETTERS.charAt(byte % LABEL_LETTERS.length)).join('');
}
