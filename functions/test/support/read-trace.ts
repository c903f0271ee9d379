import type { AttemptSpend, CallEnded, CallQueued, TraceEvent } from '../../src/runs/trace-event';

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }>;
type CallEvent = Of<'call'>;

/** A text that a call was shown, as far as the trace tells it. */
export interface SeenText {
  readonly seat: string;
  readonly as: string;
  /** Text of the seat when the question was written; undefined where it had none. */
  readonly standing: string | undefined;
}

/** One call, put together from its events. */
export interface TracedCall {
  readonly call: string;
  readonly seat: string;
  readonly purpose: string;
  readonly shortened: boolean;
  readonly saw: readonly SeenText[];
  attempts: number;
  /** The text of the last attempt. */
  text: string;
  /** The state in which it ended; undefined while it has not. */
  state?: string;
  reason?: string;
}

/** The content of a trace, worked out from its events alone. */
export interface ReadTrace {
  readonly calls: ReadonlyMap<string, TracedCall>;
  /** The call of every attempt, in the order in which they started. */
  readonly started: readonly TracedCall[];
  /** The text that each seat last stood for. */
  readonly standing: ReadonlyMap<string, string>;
  /** The calls after which a seat was told to stand for a text. */
  readonly stoodAfter: ReadonlySet<string>;
  readonly answer: string;
  readonly limitations: readonly string[];
  readonly verdict: Of<'verdict'> | undefined;
  readonly run: Of<'run'> | undefined;
  readonly end: Of<'end'> | undefined;
  readonly spends: readonly (AttemptSpend & { readonly call: string; readonly attempt: number | undefined })[];
  /** In which ways the trace is not well formed. */
  readonly flaws: readonly string[];
}

const ENDINGS = ['done', 'cut', 'failed', 'spared'];

/** Reads a trace; knows nothing of the engine but the types of its events. */
export function readTrace(events: readonly TraceEvent[]): ReadTrace {
  const reader = new Reader();
  for (const [at, event] of events.entries()) reader.read(event, at);
  return reader.close(events);
}

class Reader {
  readonly #calls = new Map<string, TracedCall>();
  readonly #started: TracedCall[] = [];
  readonly #standing = new Map<string, string>();
  readonly #stoodAfter = new Set<string>();
  readonly #limitations: string[] = [];
  readonly #spends: (AttemptSpend & { call: string; attempt: number | undefined })[] = [];
  readonly #flaws: string[] = [];
  /** Attempts that have started and not ended. */
  readonly #open = new Map<string, { readonly attempt: number; spoke: boolean }>();
  #answer = '';
  #verdict: Of<'verdict'> | undefined;

  read(event: TraceEvent, at: number): void {
    if ((event.type === 'run') !== (at === 0)) this.#flaws.push(`${event.type} is event ${at}`);
    if (event.type === 'call') this.#readCall(event);
    if (event.type === 'text') this.#readText(event);
    if (event.type === 'standing') this.#readStanding(event);
    if (event.type === 'ranking' && this.#calls.get(event.call)?.state !== 'done')
      this.#flaws.push('ranking of nothing');
    if (event.type === 'answer') this.#answer += event.text;
    if (event.type === 'limitation') this.#limitations.push(event.text);
    if (event.type === 'verdict') this.#verdict = event;
  }

  close(events: readonly TraceEvent[]): ReadTrace {
    const ends = events.filter((event) => event.type === 'end');
    if (ends.length !== 1 || events.at(-1) !== ends[0]) this.#flaws.push('the end is not the last event');
    for (const { call, state } of this.#calls.values()) if (!state) this.#flaws.push(`${call} has no ending`);
    return {
      calls: this.#calls,
      started: this.#started,
      standing: new Map([...this.#standing].filter(([, text]) => text !== '')),
      stoodAfter: this.#stoodAfter,
      answer: this.#answer,
      limitations: this.#limitations,
      verdict: this.#verdict,
      run: events.find((event) => event.type === 'run'),
      end: ends[0],
      spends: this.#spends,
      flaws: this.#flaws,
    };
  }

  #readCall(event: CallEvent): void {
    const { call, state } = event;
    if (state === 'queued') {
      this.#readQueued(event);
      return;
    }
    const known = this.#calls.get(call);
    if (!known || known.state) this.#flaws.push(`${state} of ${call}, which is not open`);
    if (!known) return;
    const open = this.#open.get(call);
    if (state === 'started') this.#readStarted(event, known);
    else if (state === 'first') {
      if (open?.attempt !== event.attempt || open.spoke) this.#flaws.push(`${call} speaks out of turn`);
      if (open) open.spoke = true;
    } else this.#readEnd(event, known, open?.attempt);
  }

  #readQueued({ call, seat, purpose, shortened, saw }: CallQueued): void {
    if (this.#calls.has(call)) this.#flaws.push(`${call} is queued twice`);
    const seen = saw.map(({ seat, as }) => ({
      ...{ seat, as },
      standing: this.#standing.get(seat),
    }));
    this.#calls.set(call, { call, seat, purpose, shortened, saw: seen, attempts: 0, text: '' });
  }

  #readStarted({ call, attempt }: Pick<CallEnded, 'call'> & { readonly attempt: number }, known: TracedCall): void {
    if (this.#open.has(call) || attempt <= known.attempts) this.#flaws.push(`${call} starts out of turn`);
    this.#open.set(call, { attempt, spoke: false });
    known.attempts = attempt;
    known.text = '';
    this.#started.push(known);
  }

  #readEnd(event: CallEnded, known: TracedCall, open?: number): void {
    const { call, state, attempt, spend, text } = event;
    if (ENDINGS.includes(state)) known.state = state;
    if (event.reason !== undefined) known.reason = event.reason;
    if (attempt !== open) this.#flaws.push(`${state} of attempt ${attempt} of ${call}, not of ${open}`);
    if ((attempt === undefined) !== (spend === undefined)) this.#flaws.push(`${call}: an attempt without a spend`);
    if (state === 'spared' && known.attempts > 0) this.#flaws.push(`${call} is spared and was made`);
    if (state === 'done' && attempt === undefined) this.#flaws.push(`${call} is done and was not made`);
    if (text !== undefined) known.text = text;
    if (spend) this.#spends.push({ ...spend, call, attempt });
    this.#open.delete(call);
  }

  #readText({ call, attempt, text }: Of<'text'>): void {
    const open = this.#open.get(call);
    if (open?.attempt !== attempt || !open.spoke || text === '') this.#flaws.push(`text of ${call} out of turn`);
    const known = this.#calls.get(call);
    if (known) known.text += text;
  }

  #readStanding({ seat, call, text, kept }: Of<'standing'>): void {
    const from = this.#calls.get(call);
    if (from?.seat !== seat || from.state !== 'done') this.#flaws.push(`${seat} stands for ${call}, not its own`);
    if (kept && this.#standing.get(seat) !== text) this.#flaws.push(`${seat} keeps what it did not stand for`);
    this.#stoodAfter.add(call);
    this.#standing.set(seat, text);
  }
}
