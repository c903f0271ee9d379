import { type Exchange, event, startFakeUpstream } from '../../functions/test/support/fake-upstream';
import { makeTasks } from '../tasks/make-tasks.ts';
import type { Task } from '../tasks/task.ts';

/** What every call is said to consume, and costs at a dollar for a million tokens either way. */
const USAGE = { prompt_tokens: 2_000, completion_tokens: 1_000 };
export const CALL_NANO_USD = 3_000_000;
const SURE = 'I have worked it out, step by step.';
const GUESS = 'At a guess.';

/** Which tasks each model gets right, by their number. */
export const RIGHT: Readonly<Record<string, (index: number) => boolean>> = {
  strong: (index) => index < 12,
  weak: (index) => index >= 9 && index < 15,
};
export const TASKS = { seed: 7, count: 18, kinds: ['arithmetic', 'code', 'injected'] } as const;

/**
 * A provider whose models' true accuracies are known: alone each is right on its own tasks, and whoever is shown a text that
 * was worked out takes that over. `onCall` hears of each call.
 */
export async function startTaskedModels(onCall: (count: number) => void = () => undefined) {
  const tasks = makeTasks({ ...TASKS, kinds: [...TASKS.kinds] });
  let count = 0;
  const upstream = await startFakeUpstream((exchange) => {
    count += 1;
    onCall(count);
    return reply(exchange, tasks);
  });
  return { ...upstream, calls: () => count };
}

function reply(exchange: Exchange, tasks: readonly Task[]): void {
  const { model, messages } = JSON.parse(exchange.request.body) as { model: string; messages: { content: string }[] };
  const shown = messages.map(({ content }) => content).join('\n');
  const index = tasks.findIndex(({ prompt }) => shown.includes(prompt));
  const task = tasks[index] as Task;
  const isRight = shown.includes(SURE) || (!shown.includes(GUESS) && RIGHT[model]?.(index) === true);
  const text = isRight ? `${SURE}\n${task.expected}` : `${GUESS}\n${task.wrong[0]}`;
  exchange.write(event({ choices: [{ index: 0, delta: { content: text } }] }));
  exchange.write(event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }));
  exchange.end(`${event({ choices: [], usage: USAGE })}data: [DONE]\n\n`);
}

/** The settings of a service that asks them. */
export function settingsOf({ url }: { readonly url: string }): Record<string, string> {
  const price = { inputUsdPerMillion: 1, outputUsdPerMillion: 1 };
  const models = Object.keys(RIGHT).map((id) => ({ id, provider: 'openai', contextTokens: 32_000, price }));
  return {
    ...{ OPENAI_API_KEY: 'x', OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_API_KEY: '', GEMINI_API_KEY: '' },
    ...{ MODEL_OVERRIDES: JSON.stringify({ models }), DEFAULT_MODEL: '', DEFAULT_PANEL: '', MODELS_ALLOWED: '' },
    ...{ STORE: '', TELEMETRY_MODULE: '', UNPRICED: '', KEY_PEPPER: '', STUDY_FILE: '' },
  };
}
