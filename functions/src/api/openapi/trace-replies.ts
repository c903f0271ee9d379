import type { JsonSchema } from '../schema-notes';
import { always, count, type Fields, flag, list, ref, shape, text } from './shapes';

const seat = text('`p1`, `p2`, … for participants in request order, `arbiter`, or `follow_ups`.');
const call = text('A call, unique in the run, e.g. `r2.p1`.');
const attempt = count('From 1.');
const round = count('From 1; 0 for the steps of the arbiter.');
const purpose = text('What a call is for.', {
  enum: ['cast', 'plan', 'draft', 'revise', 'review', 'attack', 'analyse', 'answer', 'follow_ups', 'judge'],
});
const costNanoUsd = count('Billionths of a US dollar.');

/** What every event has. */
const place: Fields = {
  seq: count('Its place in the trace, from 0 without gaps.'),
  atMs: count('Milliseconds since the start of the run.'),
};

function event(type: string, fields: Fields, sometimes: Fields, description: string): JsonSchema {
  return shape({ type: always(type), ...fields, ...place }, sometimes, description);
}

function callEvent(state: string, fields: Fields, sometimes: Fields, description: string): JsonSchema {
  return event('call', { state: always(state), call, ...fields }, sometimes, description);
}

const sums: Fields = {
  promptTokens: count('Of all calls.'),
  completionTokens: count('Of all calls.'),
  costNanoUsd,
  calls: count('Attempts at models.'),
  unpricedModels: list({ type: 'string' }, 'Ids of models that have no known price.'),
};

const seatShape = shape({
  seat,
  modelId: text('What it was asked for as.'),
  modelName: text('The display name.'),
  label: text('For people.'),
  source: text('Whose key its calls are made with.', { enum: ['platform', 'router'] }),
});

const spend = shape(
  {
    promptTokens: count('What the model was shown.'),
    completionTokens: count('What it wrote.'),
    cachedPromptTokens: count('Of the prompt, what was cached.'),
    reasoningTokens: count('Of what it wrote, what it has thought.'),
    estimated: flag('Whether it is an estimate, as the provider has reported nothing.'),
    costNanoUsd,
    priced: flag('Whether a price is known.'),
  },
  { webSearches: count('Searches of the web, as the provider bills them.') },
  'What an attempt consumed.',
);

const EVENTS: Readonly<Record<string, JsonSchema>> = {
  TraceRun: event(
    'run',
    {
      version: { type: 'integer', const: 1 },
      runId: text('The id of the run.'),
      startedAtMs: count('Unix milliseconds.'),
      strategy: text("A strategy's name, or `pass_through`."),
      rounds: count('As asked for.'),
      participants: list(ref('TraceSeat'), 'In request order.'),
      arbiter: ref('TraceSeat'),
      callsMax: count('As planned: the most calls there will be.'),
      costMaxNanoUsd: costNanoUsd,
      durationMaxMs: count('As planned: how long every wave takes.'),
    },
    {},
    'The first event.',
  ),
  TraceRound: event(
    'round',
    { round, of: count('As asked for.'), purpose, label: text('What happens in it.') },
    {},
    'A step begins.',
  ),
  TraceRoundsSkipped: event(
    'roundsSkipped',
    { from: count('The first round that is not played.'), reason: text('Why.') },
    {},
    'Rounds that were asked for are not played.',
  ),
  TraceCallQueued: callEvent(
    'queued',
    {
      seat,
      modelId: text('Who is asked.'),
      round,
      purpose,
      saw: list(shape({ seat, as: text('How its reader knows it.') }), 'The texts in its prompt.'),
      shortened: flag('Whether texts were shortened for its window.'),
    },
    {},
    'A question is to be put.',
  ),
  TraceCallStarted: callEvent('started', { attempt }, {}, 'An attempt begins; what an earlier one wrote is void.'),
  TraceCallSpoke: callEvent('first', { attempt }, {}, 'The first of its text has come.'),
  TraceCallEnded: shape(
    {
      type: always('call'),
      state: text('How.', { enum: ['retry', 'done', 'cut', 'failed', 'spared'] }),
      call,
      ...place,
    },
    {
      attempt,
      fault: text('What went wrong.'),
      reason: text('The same in words.'),
      finishReason: text('How its text ended.', {
        enum: ['stop', 'length', 'context_window', 'content_filter', 'failed', 'unknown'],
      }),
      text: text('The text that is used, where it is not what the pieces come to.'),
      sources: list(ref('WebSource'), 'What it has found on the web.'),
      durationMs: count('Of the attempt.'),
      spend: ref('TraceSpend'),
    },
    'An attempt is over. `retry`: another follows. `cut`: it was ended by the server. `spared`: it was not made.',
  ),
  TraceText: event('text', { call, attempt, text: text('A piece of what a model writes.') }, {}, 'As it comes.'),
  TraceStanding: event(
    'standing',
    { seat, call, round, text: text('The text.') },
    {
      part: text('The part it plays.'),
      kept: { type: 'boolean', const: true, description: 'It has changed nothing.' },
    },
    'From here on this is what a participant stands for.',
  ),
  TraceRanking: event(
    'ranking',
    { call, order: list({ type: 'string' }, 'Seats, best first.') },
    {},
    "A reader's order of the others' texts.",
  ),
  TraceAnswer: event('answer', { text: text('A piece of the answer.') }, {}, 'The answer, as it comes.'),
  TraceLimitation: event('limitation', { text: text('In which way.') }, {}, 'The run is less than was asked for.'),
  TraceVerdict: event(
    'verdict',
    { seat, degraded: list({ type: 'string' }, 'In which ways the run was less than was asked for.') },
    {
      explanation: text('When asked for.'),
      agreement: ref('Agreement'),
      checks: list(ref('CheckResult'), 'As in the reply.'),
      winner: text('The seat whose text was found best, where one was.'),
      followUpPrompts: list({ type: 'string' }, 'When asked for.'),
      sources: list(ref('WebSource'), 'As in the reply.'),
      unsupportedUrls: list({ type: 'string' }, 'Likewise.'),
    },
    'What stands beside the answer.',
  ),
  TraceEnd: event(
    'end',
    { outcome: text('How.', { enum: ['complete', 'stopped', 'failed'] }), ...sums },
    { message: text('Why it failed.') },
    'The last event. Its sums are those that are billed.',
  ),
};

/** The events of a trace, and what they are made of. */
export const TRACE_REPLIES: Readonly<Record<string, JsonSchema>> = {
  TraceSeat: seatShape,
  TraceSpend: spend,
  ...EVENTS,
  TraceEvent: { oneOf: Object.keys(EVENTS).map(ref), description: 'One event of the trace of a run.' },
};
