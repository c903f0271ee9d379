import { textsInReply } from '../../prompting/lenient-json';
import type { Ending, Run } from '../run';
import { askOne } from '../waves/ask-one';
import { question } from '../waves/question';

const FOLLOW_UPS_COUNT = 3;
/** Suggestions are a courtesy: the answer never waits longer than this for them. */
const FOLLOW_UPS_BUDGET_MS = 10_000;

/** Does `work`, and beside it one small call for follow-up prompts, if asked for; a failure of that call is ignored. */
export async function withFollowUps(
  run: Run,
  answer: string | undefined,
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

async function suggest(run: Run, answer: string | undefined, cancelled: AbortSignal): Promise<Ending> {
  try {
    const task = [
      ...(answer === undefined ? [] : ['An answer to it:', { title: 'answer', text: run.mask(answer) }]),
      `Suggest ${FOLLOW_UPS_COUNT} short follow-up messages the user could send next, each different in aim, in the user's language and voice. Reply with a JSON array of ${FOLLOW_UPS_COUNT} strings and nothing else.`,
    ];
    const asked = { callId: 'follow_ups', seat: run.request.panel.arbiter, purpose: 'follow_ups', round: 0 } as const;
    const options = { budgetMs: FOLLOW_UPS_BUDGET_MS, signal: AbortSignal.any([run.signal, cancelled]) };
    const result = await askOne(run, question(asked, { conversation: run.conversation, task }), options);
    const followUpPrompts = result.ok ? textsInReply(result.text, FOLLOW_UPS_COUNT) : undefined;
    return followUpPrompts ? { followUpPrompts } : {};
  } catch {
    // A store that cannot list the call: the suggestions are dropped, the answer is not.
    return {};
  }
}
