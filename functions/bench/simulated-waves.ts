import { AnswerTimes, leewayOf, type ModelPaces } from '../src/ensemble/deadline/answer-times';
import { Stragglers } from '../src/ensemble/waves/stragglers';
import type { Clock } from '../src/lib/clock';
import { createCatalog, firstEventMs, type ModelRow, thinksFirst } from '../src/models/catalog';

/** Waves of drafts in time that is not waited for, with the service's own rule for those that lag. */

/** A call of a wave: the time it takes, unless it hangs, and whether its text was had. */
export interface SimulatedCall {
  readonly model: ModelRow;
  /** Infinity for one that hangs. */
  readonly takesMs: number;
  readonly isHeard: boolean;
}

/** A wave of drafts, and the answer that a quick arbiter writes from them. */
export interface SimulatedRun {
  readonly calls: readonly SimulatedCall[];
  readonly draftsMs: number;
  readonly answerMs: number;
}

/** Rule that ends a wave. */
export interface WaveRule {
  begin(clock: Clock, models: readonly ModelRow[], paces: ModelPaces): WaveWatch;
}

interface WaveWatch extends Pick<Stragglers, 'signal' | 'stop'> {
  finished(call: number, answered: boolean): void;
}

/** The share of a run's time that its drafts get, where it has one round and an explanation. */
const WAVE_MS = 360_000;

export const RULE: WaveRule = {
  begin: (clock, models, paces) =>
    new Stragglers(clock, {
      leeways: models.map((model) => leewayOf(paces, model)),
      ...{ slowestMs: 0, waveMs: WAVE_MS, patient: true },
    }),
};

/** The rule before: twice the median, but a minute, and what a thinking model may take in silence. */
export const FORMER_RULE: WaveRule = {
  begin: (clock, models, paces) => {
    const given = new AbortController();
    const open = new Map(models.map((model, call) => [call, formerLagMs(paces, model)]));
    const startedMs = clock.monotonicMs();
    const times: number[] = [];
    let stop = clock.after(WAVE_MS, () => given.abort());
    const finished = (call: number, answered: boolean): void => {
      open.delete(call);
      const nowMs = clock.monotonicMs() - startedMs;
      if (answered) times.push(nowMs);
      if (times.length < (models.length === 2 ? 1 : Math.ceil((2 * models.length) / 3))) return;
      stop();
      const cutMs = Math.max(2 * (times[Math.floor(times.length / 2)] ?? 0), ...open.values());
      if (open.size > 0) stop = clock.after(Math.min(WAVE_MS, cutMs) - nowMs, () => given.abort());
    };
    return { finished, signal: given.signal, stop: () => stop() };
  },
};

function formerLagMs(paces: ModelPaces, model: ModelRow): number {
  const usualMs = paces.p95Ms(model.id);
  const patienceMs = thinksFirst(model)
    ? Math.min(firstEventMs(model), usualMs === undefined ? Infinity : 2 * usualMs)
    : 0;
  return Math.max(60_000, 1.3 * (usualMs ?? 0), patienceMs);
}

/** Odds of models: log-normal times, by whether they think; one in a hundred hangs. */
const HANGS = 0.01;
const PLAIN = { medianMs: 8_000, sigma: 0.5, leastMs: 0, mostMs: 120_000 };
const THINKING = { medianMs: 45_000, sigma: 0.75, leastMs: 10_000, mostMs: 180_000 };

/** Milliseconds that a model takes for a text; Infinity where it hangs. */
function drawMs(model: ModelRow, random: () => number): number {
  return random() < HANGS ? Infinity : textMs(model, random);
}

function textMs(model: ModelRow, random: () => number): number {
  const { medianMs, sigma, leastMs, mostMs } = thinksFirst(model) ? THINKING : PLAIN;
  for (;;) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const ms = medianMs * Math.exp(sigma * normal);
    if (ms >= leastMs && ms <= mostMs) return ms;
  }
}

/** Panel whose runs are simulated. */
export interface SimulatedPanel {
  readonly models: readonly string[];
  /** True where each run is the first of its process; else every text that was had tells its model's pace. */
  readonly isFirst: boolean;
  readonly runs: number;
}

/** Runs under a rule; the same times under every rule. */
export function simulateRuns(rule: WaveRule, { models: ids, isFirst, runs }: SimulatedPanel): SimulatedRun[] {
  const { modelOf } = createCatalog();
  const models = ids.map(modelOf);
  const arbiter = modelOf('gpt-4o');
  const random = seeded(20_261_126);
  let paces = new AnswerTimes().of('user');
  return Array.from({ length: runs }, () => {
    if (isFirst) paces = new AnswerTimes().of('user');
    const drawn = models.map((model) => ({ model, takesMs: drawMs(model, random) }));
    const { calls, draftsMs } = simulateWave(rule, drawn, paces);
    for (const { model, takesMs, isHeard } of calls) if (isHeard) paces.note(model.id, takesMs, 0);
    return { calls, draftsMs, answerMs: textMs(arbiter, random) };
  });
}

function simulateWave(rule: WaveRule, calls: readonly Omit<SimulatedCall, 'isHeard'>[], paces: ModelPaces) {
  const clock = new EventClock();
  const watch = rule.begin(
    clock,
    calls.map(({ model }) => model),
    paces,
  );
  const heard = new Set<number>();
  let open = calls.length;
  for (const [call, { model, takesMs }] of calls.entries()) {
    const answers = takesMs < Infinity;
    clock.after(answers ? takesMs : firstEventMs(model), () => {
      open -= 1;
      if (answers) heard.add(call);
      watch.finished(call, answers);
    });
  }
  while (open > 0 && !watch.signal.aborted) clock.next();
  watch.stop();
  return { calls: calls.map((call, place) => ({ ...call, isHeard: heard.has(place) })), draftsMs: clock.monotonicMs() };
}

/** A clock that moves from event to event. */
class EventClock implements Clock {
  #nowMs = 0;
  readonly #events = new Set<{ readonly atMs: number; readonly fire: () => void }>();

  nowMs(): number {
    return this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  after(delayMs: number, fire: () => void): () => void {
    const event = { atMs: this.#nowMs + delayMs, fire };
    this.#events.add(event);
    return () => this.#events.delete(event);
  }

  randomBytes(count: number): Uint8Array {
    return new Uint8Array(count);
  }

  /** Goes on to the next event, the one set first of several. */
  next(): void {
    const [event] = [...this.#events].sort((a, b) => a.atMs - b.atMs);
    if (!event) throw new Error('nothing is left to happen');
    this.#events.delete(event);
    this.#nowMs = event.atMs;
    event.fire();
  }
}

/** Mulberry32: numbers from 0 to 1, the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Seconds until drafts and answers are there, and shares of the drafts that would have come and were given up. */
export function figuresOf(runs: readonly SimulatedRun[]) {
  const lost = (thinks: boolean): number => {
    const calls = runs.flatMap((run) => run.calls).filter(({ model }) => thinksFirst(model) === thinks);
    const useful = calls.filter(({ takesMs }) => takesMs < WAVE_MS);
    return useful.filter(({ isHeard }) => !isHeard).length / useful.length;
  };
  const drafts = ascending(runs.map(({ draftsMs }) => draftsMs));
  const answers = ascending(runs.map(({ draftsMs, answerMs }) => draftsMs + answerMs));
  return {
    draftsMedian: secondsAt(drafts, 0.5),
    draftsP99: secondsAt(drafts, 0.99),
    runP99: secondsAt(answers, 0.99),
    lostPlain: lost(false),
    lostThinking: lost(true),
  };
}

function ascending(times: readonly number[]): number[] {
  return times.toSorted((a, b) => a - b);
}

function secondsAt(ms: readonly number[], share: number): number {
  return (ms[Math.ceil(share * ms.length) - 1] ?? Number.NaN) / 1_000;
}

const PLAIN_IDS = ['gpt-4o', 'gpt-4.1', 'claude-haiku-4-5', 'gpt-4o-mini', 'gpt-4.1-mini'];

/** Panels that are told of. */
export const PANELS: Readonly<Record<string, readonly string[]>> = {
  'two plain': PLAIN_IDS.slice(0, 2),
  'three plain': PLAIN_IDS.slice(0, 3),
  'five plain': PLAIN_IDS,
  'one plain, one thinking': ['gpt-4o', 'o3'],
  'two plain, one thinking': ['gpt-4o', 'gpt-4.1', 'o3'],
  'three thinking': ['o3', 'o4-mini', 'o1'],
};
