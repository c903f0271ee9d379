import { canonicalJson } from '../../prompting/json-schema/canonical-json';
import { comparableAnswer } from '../agreement/answers-agree';
import { type AnswerForm, areTooLong, jsonIn } from '../form/answer-form';

/** A text of a participant, which may be cut off. */
export interface GivenText {
  readonly text: string;
  readonly isCut?: boolean;
}

/** Counts answers that can be compared: values of JSON where a form is asked for, else final answers. */
export class Majority {
  readonly #form: AnswerForm | undefined;
  readonly #counts = new Map<string, number>();
  /** Texts that may say the same as any other. */
  #unread = 0;

  constructor(form: AnswerForm | undefined, given: readonly GivenText[]) {
    this.#form = form;
    for (const each of given) this.add(each);
  }

  add({ text, isCut = false }: GivenText): void {
    const answer = isCut || areTooLong([text]) ? undefined : this.#answerIn(text);
    if (answer === undefined) this.#unread += 1;
    else this.#counts.set(answer, (this.#counts.get(answer) ?? 0) + 1);
  }

  /** True if the answer that most have given stays that whatever so many more say. */
  staysAfter(calls: number): boolean {
    const [most = 0, second = 0] = [...this.#counts.values()].sort((a, b) => b - a);
    return most > second + this.#unread + calls;
  }

  #answerIn(text: string): string | undefined {
    if (!this.#form) return comparableAnswer(text);
    const found = jsonIn(text);
    return found && canonicalJson(found.value);
  }
}
