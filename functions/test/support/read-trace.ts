import type { AttemptSpend, CallEnded, CallQueued, TraceEvent } from '../../src/runs/trace-event';

type Of<Type extends TraceEvent['type']> = Extract<TraceEvent, { readonly type: Type }>;

/** A text that a call was shown, as far as the trace tells it. */
export interface SeenText {
  readonly seat: string;
  readonly as: string;
  /** Text of the seat when the question was written; undefined where it had none. */
  readonly standing: string | undefined;
}

/** One call, put together from its events. */
export interface TracedCall extends Pick<CallQueued, 'call' | 'seat' | 'purpose' | 'shortened'> {
  readonly saw: readonly SeenText[];
  attempts: number;
  /** The text of the last attempt. */
  text: string;
  /** The state in which it ended; undefined while it has not. */
  state?: string;
  reason?: string;
}

/** The content of a trace, worked out from its events alone. */
export type ReadTrace = ReturnType<typeof readTrace>;

const ENDINGS = ['done', 'cut', 'failed', 'spared'];

/** Reads a trace; knows nothing of the engine but the types of its events. */
export function readTrace(events: readonly TraceEvent[]) {
  const calls = new Map<string, TracedCall>();
  const started: TracedCall[] = [];
  const standing = new Map<string, string>();
  const stoodAfter = new Set<string>();
  const spends: (AttemptSpend & { call: string; attempt: number | undefined })[] = [];
  const flaws: string[] = [];
  /** Attempts that have started and not ended. */
  const open = new Map<string, { readonly attempt: number; spoke: boolean }>();
  const flawIf = (isFlaw: boolean, words: string): void => {
    if (isFlaw) flaws.push(words);
  };

  const readQueued = ({ call, seat, purpose, shortened, saw }: CallQueued): void => {
    flawIf(calls.has(call), `${call} is queued twice`);
    const seen = saw.map(({ seat, as }) => ({ seat, as, standing: standing.get(seat) }));
    calls.set(call, { call, seat, purpose, shortened, saw: seen, attempts: 0, text: '' });
  };
  const readEnd = ({ call, state, attempt, spend, text, reason }: CallEnded, known: TracedCall): void => {
    const begun = open.get(call)?.attempt;
    if (ENDINGS.includes(state)) known.state = state;
    if (reason !== undefined) known.reason = reason;
    flawIf(attempt !== begun, `${state} of attempt ${attempt} of ${call}, not of ${begun}`);
    flawIf((attempt === undefined) !== (spend === undefined), `${call}: an attempt without a spend`);
    flawIf(state === 'spared' && known.attempts > 0, `${call} is spared and was made`);
    flawIf(state === 'done' && attempt === undefined, `${call} is done and was not made`);
    if (text !== undefined) known.text = text;
    if (spend) spends.push({ ...spend, call, attempt });
    open.delete(call);
  };
  const readCall = (event: Of<'call'>): void => {
    const { call, state } = event;
    if (state === 'queued') {
      readQueued(event);
      return;
    }
    const known = calls.get(call);
    flawIf(!known || known.state !== undefined, `${state} of ${call}, which is not open`);
    if (!known) return;
    const attempt = open.get(call);
    if (state === 'started') {
      flawIf(attempt !== undefined || event.attempt <= known.attempts, `${call} starts out of turn`);
      open.set(call, { attempt: event.attempt, spoke: false });
      Object.assign(known, { attempts: event.attempt, text: '' });
      started.push(known);
    } else if (state === 'first') {
      flawIf(attempt?.attempt !== event.attempt || attempt.spoke, `${call} speaks out of turn`);
      if (attempt) attempt.spoke = true;
    } else readEnd(event, known);
  };
  const readText = ({ call, attempt, text }: Of<'text'>): void => {
    const now = open.get(call);
    flawIf(now?.attempt !== attempt || !now.spoke || text === '', `text of ${call} out of turn`);
    const known = calls.get(call);
    if (known) known.text += text;
  };
  const readStanding = ({ seat, call, text, kept }: Of<'standing'>): void => {
    const from = calls.get(call);
    flawIf(from?.seat !== seat || from.state !== 'done', `${seat} stands for ${call}, not its own`);
    flawIf(kept === true && standing.get(seat) !== text, `${seat} keeps what it did not stand for`);
    stoodAfter.add(call);
    standing.set(seat, text);
  };

  for (const [at, event] of events.entries()) {
    flawIf((event.type === 'run') !== (at === 0), `${event.type} is event ${at}`);
    if (event.type === 'call') readCall(event);
    if (event.type === 'text') readText(event);
    if (event.type === 'standing') readStanding(event);
    flawIf(event.type === 'ranking' && calls.get(event.call)?.state !== 'done', 'ranking of nothing');
  }
  for (const { call, state } of calls.values()) flawIf(!state, `${call} has no ending`);
  const all = <Type extends TraceEvent['type']>(type: Type) =>
    events.filter((event): event is Of<Type> => event.type === type);
  const [end, ...ends] = all('end');
  flawIf(ends.length > 0 || events.at(-1) !== end, 'the end is not the last event');
  return {
    calls: calls as ReadonlyMap<string, TracedCall>,
    /** The call of every attempt, in the order in which they started. */
    started,
    /** The text that each seat last stood for. */
    standing: new Map([...standing].filter(([, text]) => text !== '')),
    /** The calls after which a seat was told to stand for a text. */
    stoodAfter,
    answer: all('answer').reduce((text, piece) => text + piece.text, ''),
    limitations: all('limitation').map(({ text }) => text),
    verdict: all('verdict').at(-1),
    run: all('run')[0],
    end,
    spends,
    /** In which ways the trace is not well formed. */
    flaws,
  };
}
