/** Lets at most so many tasks run at once; the others wait in line, first come, first served. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(slots: number) {
    this.#free = slots;
  }

  /** Runs the task once there is a slot for it, and settles as it does. */
  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // A slot is handed over, never put back while somebody waits: nobody can jump the line.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }
}
