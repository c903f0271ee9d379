import { anySignal } from '../../lib/any-signal';
import { type OutputSchema, strictObject } from '../../models/model';
import { DATA_RULE } from '../../prompting/fence';
import { textsInReply } from '../../prompting/json-in-reply';
import { agreementByPlace } from '../form/agreement-by-place';
import type { Authored } from '../panel/contributors';
import { cheapestFirst, type Seat } from '../panel/panel';
import { type Candidate, type Ending, noteDegraded, type Run } from '../run';
import { callModel } from '../waves/call-model';
import { question } from '../waves/question';

/** The participants' last texts with their consumption, agreement with a schema-bound answer, and findings on the web. */
export function candidatesOf(run: Run, texts: readonly Authored[], answer: string): Ending {
  const { includeCandidates, answerForm } = run.request;
  const ofWeb = webEnding(run, answer);
  if (!includeCandidates || texts.length === 0) return ofWeb;
  const candidates = inRequestOrder(run, texts).map((text) => candidateOf(run, text));
  const whole = texts.filter(({ isCut }) => !isCut).map(({ text }) => text);
  const byPlace = answerForm?.schema && agreementByPlace(answer, whole);
  return { candidates, ...ofWeb, ...(byPlace && { agreementByPlace: byPlace }) };
}

/** Texts in the order in which a reply lists them. */
export function inRequestOrder({ request: { panel } }: Run, texts: readonly Authored[]): Authored[] {
  const ids = panel.participants.map(({ id }) => id);
  return texts.toSorted((a, b) => ids.indexOf(a.seat.id) - ids.indexOf(b.seat.id));
}

function candidateOf(run: Run, { seat, text, part }: Authored): Candidate {
  const { promptTokens, completionTokens, durationMs, costNanoUsd } = run.ledger.totals(seat.id);
  const sources = run.web?.sourcesOf(seat) ?? [];
  return {
    modelId: seat.model.id,
    modelName: seat.model.name,
    ...(seat.givenLabel !== undefined && { label: seat.givenLabel }),
    response: text,
    ...(part !== undefined && { part }),
    ...(sources.length > 0 && { sources }),
    promptTokens,
    completionTokens,
    executionTimeMs: durationMs,
    costNanoUsd,
  };
}

/** Pages and addresses of a run that was to search the web; nothing for another. */
function webEnding(run: Run, answer: string): Pick<Ending, 'sources' | 'unsupportedUrls'> {
  if (!run.web) return {};
  const { sources, unsupportedUrls } = run.web.endingOf(answer);
  const count = unsupportedUrls.length;
  if (count > 0) {
    const addresses = count === 1 ? 'An address in the answer stands' : `${count} addresses in the answer stand`;
    noteDegraded(run, `${addresses} in no text that it was made from`);
  }
  return { ...(sources.length > 0 && { sources }), ...(count > 0 && { unsupportedUrls }) };
}

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
  // A store that cannot list the call: the suggestions are dropped, the answer is not.
  const suggested = suggest(run, answer, worked.signal).catch((): Ending => ({}));
  try {
    return { ...(await work()), ...(await suggested) };
  } finally {
    worked.abort('the answer was there first');
  }
}

/** The cheapest of the panel that has not failed, on a seat of its own: a participant's consumption is that of its texts. */
function suggester({ request: { panel }, failures, startedAtMs }: Run): Seat {
  const failed = new Set(failures.map(({ seat }) => seat.model.id));
  const seats = [panel.arbiter, ...panel.participants.filter(({ model }) => !failed.has(model.id))];
  const [{ model, label } = panel.arbiter] = cheapestFirst(seats, startedAtMs);
  return { id: 'follow_ups', model, label };
}

async function suggest(run: Run, answer: Authored | undefined, cancelled: AbortSignal): Promise<Ending> {
  const shown = answer && { title: 'answer', text: run.mask(answer.text), by: answer.seat.id };
  const task = [
    ...(shown ? ["An answer to the user's message:", shown, DATA_RULE] : []),
    `Suggest ${FOLLOW_UPS_COUNT} short follow-up messages the user could send next, each different in aim, in the user's language and voice. Reply with one JSON object and nothing else:\n{"follow_ups": [${FOLLOW_UPS_COUNT} strings]}`,
  ];
  const asked = { callId: 'follow_ups', seat: suggester(run), purpose: 'follow_ups', round: 0 } as const;
  const written = question({ ...asked, outputSchema: FOLLOW_UPS_SCHEMA }, { conversation: run.conversation, task });
  const flaw = run.budget.admit([written], 'beside');
  if (flaw !== undefined) {
    noteDegraded(run, `No follow-up prompts: ${flaw}`);
    return {};
  }
  const signal = anySignal(run.signal, cancelled);
  const result = await callModel(run, written, { budgetMs: FOLLOW_UPS_BUDGET_MS, signal });
  const followUpPrompts = result.ok ? parseFollowUps(result.text) : undefined;
  return followUpPrompts ? { followUpPrompts } : {};
}
