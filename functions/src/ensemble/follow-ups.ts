import { parseStringList } from './analysis';
import { askOne } from './ask';
import { conversationOf } from './conversation';
import { FOLLOW_UPS_COUNT, followUpsPrompt } from './prompts/follow-ups';
import { question } from './question';
import type { Run } from './run';

/** Suggestions are a courtesy: the answer never waits longer than this for them. */
const FOLLOW_UPS_BUDGET_MS = 10_000;

/** Suggestions in the making, beside the answer. */
export interface PendingFollowUps {
  /** Resolves to undefined when they were not asked for or did not work out; never rejects. */
  readonly prompts: Promise<string[] | undefined>;
  cancel(): void;
}

const NOT_ASKED_FOR: PendingFollowUps = { prompts: Promise.resolve(undefined), cancel: () => undefined };

/** Starts the one small call for follow-up prompts, when they were asked for. Its failure is ignored. */
export function startFollowUps(run: Run, draft: string | undefined): PendingFollowUps {
  if (!run.request.includeFollowUps) return NOT_ASKED_FOR;
  const controller = new AbortController();
  return { prompts: suggest(run, draft, controller.signal), cancel: () => controller.abort() };
}

async function suggest(run: Run, draft: string | undefined, signal: AbortSignal): Promise<string[] | undefined> {
  try {
    const seat = run.request.panel.arbiter;
    const sheet = followUpsPrompt(conversationOf(run), draft === undefined ? undefined : run.mask(draft));
    const asked = question({ callId: 'follow_ups', seat, purpose: 'follow_ups', round: 0 }, sheet);
    const options = { budgetMs: FOLLOW_UPS_BUDGET_MS, signal: AbortSignal.any([run.signal, signal]) };
    const result = await askOne(run, asked, options);
    return result.ok ? parseStringList(result.text, FOLLOW_UPS_COUNT) : undefined;
  } catch {
    // A store that cannot list the call: the suggestions are dropped, the answer is not.
    return undefined;
  }
}
