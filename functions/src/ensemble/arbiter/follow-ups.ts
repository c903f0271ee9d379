import { anySignal } from '../../lib/any-signal';
import { type OutputSchema, strictObject } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import { textsInReply } from '../../prompting/json-in-reply';
import type { Authored } from '../panel/contributors';
import { cheapestFirst, type Seat } from '../panel/panel';
import { type Ending, noteDegraded, type Run } from '../run';
import { callModel } from '../waves/call-model';
import { question } from '../waves/question';

const FOLLOW_UPS_COUNT = 3;
/** Suggestions are a courtesy: the answer never waits longer than this for them. */
const FOLLOW_UPS_BUDGET_MS = 10_000;

const FOLLOW_UPS_SCHEMA: OutputSchema = {
  name: 'follow_ups',
  schema: strictObject({ follow_ups: { type: 'array', items: { type: 'string' } } }),
};

/** The messages suggested in a reply; undefined when there are none. @internal */
export function parseFollowUps(reply: string): string[] | undefined {
  return textsInReply(reply, { list: 'follow_ups', max: FOLLOW_UPS_COUNT });
}

/** Does `work`, and beside it one small call for follow-up prompts, if asked for; a failure of that call is ignored. */
export async function withFollowUps(
  run: Run,
  answer: Authored | undefined,
  work: () => Promise<Ending>,
): Promise<Ending> {
  if (!run.request.includeFollowUps) return work();
  const worked = new AbortController();
  const suggested = suggest(run, answer, worked.signal);
  try {
    return { ...(await work()), ...(await suggested) };
  } finally {
    worked.abort();
  }
}

/** The cheapest of the panel that has not failed, on a seat of its own: a participant's consumption is that of its texts. */
function suggester({ request: { panel }, failures, startedAtMs }: Run): Seat {
  const failed = new Set(failures.map(({ seat }) => seat.model.id));
  const seats = [panel.arbiter, ...panel.participants.filter(({ model }) => !failed.has(model.id))];
  const [cheapest = panel.arbiter] = cheapestFirst(seats, startedAtMs);
  const { model, label } = cheapest;
  return { id: 'follow_ups', model, label };
}

async function suggest(run: Run, answer: Authored | undefined, cancelled: AbortSignal): Promise<Ending> {
  try {
    const task = [
      ...(answer === undefined
        ? []
        : [
            "An answer to the user's message:",
            { title: 'answer', text: run.mask(answer.text), by: answer.seat.id },
            DATA_RULE,
          ]),
      `Suggest ${FOLLOW_UPS_COUNT} short follow-up messages the user could send next, each different in aim, in the user's language and voice. Reply with one JSON object and nothing else:\n{"follow_ups": [${FOLLOW_UPS_COUNT} strings]}`,
    ];
    const seat = suggester(run);
    const outputSchema = FOLLOW_UPS_SCHEMA;
    const asked = { callId: 'follow_ups', seat, purpose: 'follow_ups', round: 0, outputSchema } as const;
    const options = { budgetMs: FOLLOW_UPS_BUDGET_MS, signal: anySignal(run.signal, cancelled) };
    const written = question(asked, { conversation: run.conversation, task });
    const flaw = run.budget.admit([written], 'beside');
    if (flaw !== undefined) {
      noteDegraded(run, `No follow-up prompts: ${flaw}`);
      return {};
    }
    const result = await callModel(run, written, options);
    const followUpPrompts = result.ok ? parseFollowUps(result.text) : undefined;
    return followUpPrompts ? { followUpPrompts } : {};
  } catch {
    // A store that cannot list the call: the suggestions are dropped, the answer is not.
    return {};
  }
}
