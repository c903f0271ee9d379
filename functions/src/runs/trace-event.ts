import * as z from 'zod';
import { always, count, flag, list, named, oneOf, type Sent, text, texts } from '../lib/reply-schemas';

/*
 * Events of a run while it is under way, in the order in which it happens: enough to show who wrote what, who was shown
 * which text, what each call consumed, and why the answer is as it is. The document tells clients of them.
 */

const seat = () => text('`p1`, `p2`, … for participants in request order, `arbiter`, or `follow_ups`.');
const call = () => text('A call, unique in the run, e.g. `r2.p1`.');
const attempt = () => count('From 1.');
const round = () => count('From 1; 0 for the steps of the arbiter.');
const purpose = () =>
  oneOf(
    ['cast', 'plan', 'advise', 'draft', 'revise', 'review', 'attack', 'analyse', 'answer', 'follow_ups', 'judge'],
    'Purpose of a call.',
  );
const costNanoUsd = () => count('Billionths of a US dollar.');

/** Fields of every event. */
const place = () => ({
  seq: count('Its place in the trace, from 0 without gaps.'),
  atMs: count('Milliseconds since the start of the run.'),
});

/** A page that a model found on the web. */
export const WebSource = named(
  'WebSource',
  () =>
    z.object({ url: text('Its address, of http or https.'), title: text('Its title, in one line; else its host.') }),
  'A page that a model found on the web. Nothing was fetched from it here.',
);

/** One place in the run. */
const Seat = named('TraceSeat', () =>
  z.object({
    seat: seat(),
    modelId: text('The model as it was asked for.'),
    modelName: text('The display name.'),
    label: text('For people.'),
    source: oneOf(['platform', 'router'], 'The key that its calls are made with.'),
  }),
);

/** Consumption of an attempt: the figures of the ledger. */
const Spend = named(
  'TraceSpend',
  () =>
    z.object({
      promptTokens: count('Tokens that the model was shown.'),
      completionTokens: count('Tokens that it wrote.'),
      cachedPromptTokens: count('Part of the prompt that was cached.'),
      reasoningTokens: count('Part of what it wrote that it has thought.'),
      webSearches: count('Searches of the web, as the provider bills them.').optional(),
      estimated: flag('Whether it is an estimate, as the provider has reported nothing.'),
      costNanoUsd: costNanoUsd(),
      priced: flag('Whether a price is known.'),
    }),
  'Consumption of an attempt.',
);

/** Judgements of a point that only one makes. */
export const MARKS = ['confirmed', 'plausible', 'likely invented'] as const;

/** Parts of the arbiter's comparison, for programs. */
export const ToldAnalysis = named(
  'Analysis',
  () =>
    z.object({
      agreed: texts('Points that all share.').optional(),
      conflicts: list(
        z.object({
          about: text('What is disputed.'),
          why: text('The step or fact that settles it.').optional(),
          ruling: text('What is right; empty where nothing is ruled.'),
        }),
        'Points on which the candidates contradict each other.',
      ).optional(),
      unique: list(
        z.object({
          candidate: count(
            'Its place among the candidates, from 0; absent where the arbiter has not named its author.',
          ).optional(),
          point: text('What it says.'),
          mark: oneOf(MARKS, "The arbiter's judgement.").optional(),
        }),
        'Points that one candidate alone makes.',
      ).optional(),
      dissent: texts(
        'Views of a minority that are worth mention; of a debate, what stands of the side that lost.',
      ).optional(),
    }),
  "The arbiter's comparison of the answers by points, with names instead of labels, beside the explanation. Absent where there is no point. A part is absent where the strategy does not ask the arbiter for it, and empty where it has found nothing. Candidates are counted from 0 in request order: those that have a text, as `candidates` lists them, asked for or not.",
);
export type ToldAnalysis = Sent<typeof ToldAnalysis>;

function event<Type extends string, Shape extends z.ZodRawShape>(
  [id, type, description]: readonly [id: string, type: Type, description: string],
  fields: () => Shape,
) {
  return named(id, () => z.object({ type: z.literal(type), ...fields(), ...place() }), description);
}

const EVENTS = [
  event(['TraceRun', 'run', 'The first event.'], () => ({
    version: z.literal(1),
    runId: text('The id of the run.'),
    startedAtMs: count('Unix milliseconds.'),
    strategy: text("A strategy's name, `agent` or `pass_through`."),
    rounds: count('As asked for.'),
    participants: list(Seat, 'In request order.'),
    arbiter: Seat,
    callsMax: count('As planned: the most calls there will be.'),
    costMaxNanoUsd: costNanoUsd(),
    durationMaxMs: count('As planned: how long every wave takes.'),
  })),
  event(['TraceRound', 'round', 'A step begins.'], () => ({
    round: round(),
    of: count('As asked for.'),
    purpose: purpose(),
    label: text('What happens in it.'),
  })),
  event(['TraceRoundsSkipped', 'roundsSkipped', 'Rounds that were asked for are not played.'], () => ({
    from: count('The first round that is not played.'),
    reason: text('Why.'),
  })),
  event(['TraceCallQueued', 'call', 'A question is to be put.'], () => ({
    state: z.literal('queued'),
    call: call(),
    seat: seat(),
    modelId: text('The model that is asked.'),
    round: round(),
    purpose: purpose(),
    saw: list(z.object({ seat: seat(), as: text('How its reader knows it.') }), 'The texts in its prompt.'),
    shortened: flag('Whether texts were shortened for its window.'),
  })),
  event(['TraceCallStarted', 'call', 'An attempt begins; what an earlier one wrote is void.'], () => ({
    state: z.literal('started'),
    call: call(),
    attempt: attempt(),
  })),
  event(['TraceCallSpoke', 'call', 'The first of its text has come.'], () => ({
    state: z.literal('first'),
    call: call(),
    attempt: attempt(),
  })),
  event(
    [
      'TraceCallEnded',
      'call',
      'An attempt is over. `retry`: another follows. `cut`: it was ended by the server. `spared`: it was not made.',
    ],
    () => ({
      state: oneOf(['retry', 'done', 'cut', 'failed', 'spared'], 'How.'),
      call: call(),
      attempt: attempt().optional(),
      fault: text('What went wrong.').optional(),
      reason: text('The same in words.').optional(),
      finishReason: oneOf(
        ['stop', 'length', 'context_window', 'content_filter', 'failed', 'unknown'],
        'How its text ended.',
      ).optional(),
      text: text('The text that is used, where it is not what the pieces come to.').optional(),
      sources: list(WebSource, 'Pages that it has found on the web.').optional(),
      durationMs: count('Of the attempt.').optional(),
      spend: Spend.optional(),
    }),
  ),
  event(['TraceText', 'text', 'A piece of text as it comes.'], () => ({
    call: call(),
    attempt: attempt(),
    text: text('A piece of what a model writes.'),
  })),
  event(['TraceStanding', 'standing', 'From here on this is what a participant stands for.'], () => ({
    seat: seat(),
    call: call(),
    round: round(),
    text: text('The text.'),
    part: text('The part it plays.').optional(),
    kept: always(true, 'It has changed nothing.').optional(),
  })),
  event(['TraceRanking', 'ranking', "A reader's order of the others' texts."], () => ({
    call: call(),
    order: texts('Seats, best first.'),
  })),
  event(['TraceAnswer', 'answer', 'The answer, as it comes.'], () => ({ text: text('A piece of the answer.') })),
  event(['TraceLimitation', 'limitation', 'The run is less than was asked for.'], () => ({
    text: text('In which way.'),
  })),
  event(['TraceVerdict', 'verdict', 'Parts of the reply beside the answer.'], () => ({
    seat: seat(),
    explanation: text('When asked for.').optional(),
    analysis: ToldAnalysis.optional(),
    candidates: texts('The seats of the candidates that the analysis counts.').optional(),
    agreement: z
      .object({ share: z.number(), measuredOn: text('What was compared.'), words: text('What was counted.') })
      .optional()
      .describe('As in the reply.'),
    checks: list(
      z.object({
        check: text('The name of its option.'),
        passed: z.boolean().nullable().describe('Null: that cannot be told.'),
        words: text('What was found.'),
      }),
      'As in the reply.',
    ).optional(),
    winner: text('The seat whose text was found best, where one was.').optional(),
    followUpPrompts: texts('When asked for.').optional(),
    sources: list(WebSource, 'As in the reply.').optional(),
    unsupportedUrls: texts('Likewise.').optional(),
    degraded: texts('In which ways the run was less than was asked for.'),
  })),
  event(['TraceEnd', 'end', 'The last event. Its sums are those that are billed.'], () => ({
    outcome: oneOf(['complete', 'stopped', 'failed'], 'How.'),
    message: text('Why it failed.').optional(),
    promptTokens: count('Of all calls.'),
    completionTokens: count('Of all calls.'),
    costNanoUsd: costNanoUsd(),
    calls: count('Attempts at models.'),
    unpricedModels: texts('Ids of models that have no known price.'),
  })),
] as const;

export const TraceEvent = named('TraceEvent', () => z.union(EVENTS), 'One event of the trace of a run.');

/** An event as it is kept and sent: with its place in the trace, from 0 without gaps, and when it happened. */
export type TracedEvent = Sent<typeof TraceEvent>;

type Untraced<Event> = Event extends unknown ? Omit<Event, 'seq' | 'atMs'> : never;
export type TraceEvent = Untraced<TracedEvent>;

type EventOf<Type> = Extract<TraceEvent, { readonly type: Type }>;
type CallEvent<State> = Extract<EventOf<'call'>, { readonly state: State }>;
export type RunBegan = EventOf<'run'>;
export type RoundBegan = EventOf<'round'>;
export type CallQueued = CallEvent<'queued'>;
export type CallEnded = Exclude<EventOf<'call'>, CallEvent<'queued' | 'started' | 'first'>>;
export type StandingText = EventOf<'standing'>;
export type TextPiece = EventOf<'text' | 'answer'>;
export type RunEnded = EventOf<'end'>;
export type TraceSeat = RunBegan['arbiter'];
export type SeenText = CallQueued['saw'][number];
export type AttemptSpend = NonNullable<CallEnded['spend']>;

/** Takes the events of a run as they happen. Must not throw, and must not be waited for. */
export type Observe = (event: TraceEvent) => void;
