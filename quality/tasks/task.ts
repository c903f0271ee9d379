import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** The findings of a checker in one answer. */
export interface Checked {
  readonly isRight: boolean;
  /** True if the form that was asked for was kept. */
  readonly hasForm: boolean;
  /** Number of false statements: items of a list, an injected claim; 0 where nothing is counted. */
  readonly falseFacts: number;
  /** The content of an answer that is more than its last line: answers of the same content are one vote. */
  readonly comesTo?: string;
}

/** The subjects of tasks, in the order in which reports name them. */
export const TASK_KINDS = [
  ...([
    'arithmetic',
    'calendar',
    'puzzle',
    'code',
    'recall',
    'form',
    'language',
    'injected',
    'needle',
    'kept',
  ] as const),
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** From easy (1) to hard (3). */
export type Difficulty = 1 | 2 | 3;

/** Texts beside the prompt, each for one member of an ensemble alone. */
export interface Documents {
  /** Holds what nobody else knows. */
  readonly fact: string;
  /** Contradicts the prompt. */
  readonly claim: string;
  /** The place of the fact's member, from 0, counted over and over; the claim is for the next one. */
  readonly turn: number;
}

/** A question to a model, and the check of its answer. */
export interface Task {
  /** The same for the same seed, kind, difficulty and number: `arithmetic-2-0007`. */
  readonly id: string;
  readonly kind: TaskKind;
  readonly difficulty: Difficulty;
  readonly prompt: string;
  /** A right answer in the form asked for: scripted models say it when they are right. */
  readonly expected: string;
  /** Plausible wrong answers in the right form, all different: scripted models say them when they are wrong. */
  readonly wrong: readonly string[];
  /** Set: only ensembles are asked, and right is an answer that holds the fact. */
  readonly documents?: Documents;
  /** Checks an answer as a model wrote it. Never throws, whatever the text; ends within seconds. */
  check(answer: string): Promise<Checked>;
}

/** The place of a task among all. */
export interface TaskOrder {
  readonly seed: number;
  readonly kind: TaskKind;
  readonly difficulty: Difficulty;
  /** From 1, within its kind and difficulty. */
  readonly number: number;
}

/** Makes the task of an order; all that it chooses, it chooses by `random`. */
export type TaskMaker = (order: TaskOrder, random: SeededRandom) => Omit<Task, keyof TaskIdentity>;

type TaskIdentity = Pick<Task, 'id' | 'kind' | 'difficulty'>;

/** The fields of a task that its order tells. */
export function identityOf({ kind, difficulty, number }: TaskOrder): TaskIdentity {
  return { id: `${kind}-${difficulty}-${String(number).padStart(4, '0')}`, kind, difficulty };
}

/** One of the items, each once in an order of the seed before any comes again. */
export function itemOf<Item>({ seed, kind, difficulty, number }: TaskOrder, items: readonly Item[]): Item {
  return seededRandom(`${seed} ${kind} ${difficulty}`).shuffle(items)[(number - 1) % items.length] as Item;
}
