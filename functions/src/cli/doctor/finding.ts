/** One thing that the doctor has looked at. */
export interface Finding {
  readonly check: string;
  /** `warning`: it works, but perhaps not as somebody thinks. */
  readonly status: 'ok' | 'warning' | 'wrong';
  /** What is so. Holds no key, and nothing that an upstream has said. */
  readonly says: string;
  /** The command or the step that mends it. */
  readonly mend?: string;
}
