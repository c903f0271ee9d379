/** The study cannot go on; the message says why, for people. */
export class Stopped extends Error {
  readonly why: 'cap' | 'interrupted' | 'failed';

  constructor(why: Stopped['why'], message: string) {
    super(message);
    this.why = why;
  }
}
