import { startApp } from '../support/app';
import { fakeClock } from '../support/fake-clock';
import { PLAIN, type Script } from '../support/scripted-models';
import { until } from '../support/until';
import type { WireCompletion } from '../support/wire';

/** The slow one stands last. */
const PANEL = ['gpt-4o', 'gpt-4o-mini', 'claude-haiku-4-5'];
const PAIR = ['gpt-4o', 'claude-haiku-4-5'];
const WITH_THINKING = ['gpt-4o', 'gpt-4o-mini', 'o3'];

/** Answers after a second, the slow one after so many; each in words of its own. */
function slowTo(seconds: number, slow: string | undefined): Script {
  return (call) => ({
    ...PLAIN(call),
    text: `${call.providerModel} says so.`,
    delayMs: (call.providerModel === slow ? seconds : 1) * 1_000,
  });
}

/** True if a participant that takes this long is heard. */
async function isHeard(seconds: number, models: readonly string[], options: object): Promise<boolean> {
  const clock = fakeClock();
  await using app = await startApp({ clock, script: slowTo(seconds, models.at(-1)) });
  const sent = app.chat({ model: 'gpt-4o', ai_ensemble: { models, ...options } });
  await until(() => app.models.calls.length === models.length);
  await clock.advance(200_000);
  await until(() => app.models.calls.length === models.length + 1);
  await clock.advance(1_000);
  const reply = await sent;
  const { degraded } = (await reply.json()) as WireCompletion;
  expect(degraded ?? ['all have answered']).toHaveLength(1);
  return degraded === undefined;
}

describe('participants that lag', () => {
  it.each([
    { rule: 'a quarter of a minute is always there', seconds: 14, heard: true },
    { rule: 'a quarter of a minute is enough beside quick ones', seconds: 16, heard: false },
    { rule: 'of two, one answer is enough', models: PAIR, seconds: 16, heard: false },
    { rule: 'one that thinks has three quarters', models: WITH_THINKING, seconds: 44, heard: true },
    { rule: 'one that thinks has no more', models: WITH_THINKING, seconds: 46, heard: false },
    { rule: 'graceSeconds is longer', options: { graceSeconds: 90 }, seconds: 80, heard: true },
    { rule: 'graceSeconds is shorter', options: { graceSeconds: 3 }, seconds: 8, heard: false },
    { rule: 'quorum asks for all', options: { quorum: 3 }, seconds: 100, heard: true },
    { rule: 'quorum asks for one', options: { quorum: 1, graceSeconds: 0 }, seconds: 3, heard: false },
  ])('$rule: $seconds s', async ({ seconds, heard, models = PANEL, options = {} }) => {
    expect(await isHeard(seconds, models, options)).toBe(heard);
  });
});
