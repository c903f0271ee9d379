/** What a checker found in one answer. */
export interface Checked {
  readonly isRight: boolean;
  /** Whether the form that was asked for was kept. */
  readonly hasForm: boolean;
  /** What the answer states that is false: items of a list, an injected claim; 0 where nothing is counted. */
  readonly falseFacts: number;
  /** What the answer comes to, where that is more than its last line: answers that come to the same are one vote. */
  readonly comesTo?: string;
}

/** What tasks are about, in the order in which reports name them. */
export const TASK_KINDS = [
  'arithmetic',
  'calendar',
  'puzzle',
  'code',
  'recall',
  'form',
  'language',
  'injected',
  'needle',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** From easy (1) to hard (3). */
export type Difficulty = 1 | 2 | 3;

/** A question to a model, and what tells whether it was answered. */
export interface Task {
  /** The same for the same seed, kind, difficulty and number: `arithmetic-2-0007`. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly difficulty: Difficulty;
  /** BCP 47. */
  readonly language: string;
  readonly prompt: string;
  /** A right answer in the form asked for: what scripted models say when they are right. */
  readonly expected: string;
  /** A wrong answer in the right form, plausible: what scripted models say when they are wrong. Several differ. */
  readonly wrong: readonly string[];
  /** Whether an answer, as a model wrote it, is right. Never throws, whatever the text; ends within seconds. */
  check(answer: string): Promise<Checked>;
}
