import type { Suggestions } from '../../src/api/shared/suggestions';
import { createDemoProvider } from '../../src/providers/demo/demo';
import { SUGGESTED_PROMPTS } from '../../src/providers/demo/topics/topics';
import { startApp } from '../support/app';
import { pageHeaders } from '../support/dashboard';
import { requestOf } from '../support/played-run';
import { readTrace } from '../support/read-trace';
import { demoScript } from '../support/scripted-models';
import { playTraced } from './trace/traced-run';

/** The first run of somebody without a key, as the playground suggests it, with the pace of the real demo models. */
describe('the panel that the playground suggests', () => {
  let suggested: Suggestions;
  beforeAll(async () => {
    await using app = await startApp();
    const reply = await fetch(`${app.baseUrl}/dashboard/models`, { headers: pageHeaders(app) });
    ({ suggestions: suggested } = (await reply.json()) as { suggestions: Suggestions });
  });

  it('is scripted, says so, and has three prompts', () => {
    expect([suggested.scripted, suggested.prompts.length]).toEqual([true, 3]);
    expect(suggested.prompts).toEqual(SUGGESTED_PROMPTS);
  });

  it.each(SUGGESTED_PROMPTS)('shows a cut, a recovery and a minority report on %j', async (message) => {
    const { participants, arbiter, graceSeconds = 0 } = suggested;
    const asked = { strategy: 'competitive_refinement', models: participants, arbiter, rounds: 1, message } as const;
    const request = { ...requestOf(asked), stragglers: { graceMs: graceSeconds * 1_000 } };
    const { events, answer } = await playTraced({
      request,
      script: demoScript,
      providerOf: createDemoProvider,
      live: true,
    });
    const { calls, run, end, verdict, flaws } = readTrace(events);
    expect([flaws, end?.outcome]).toEqual([[], 'complete']);
    const modelOf = new Map(run?.participants.map(({ seat, modelId }) => [seat, modelId]));
    const drafts = [...calls.values()].filter(({ purpose }) => purpose === 'draft');
    expect(drafts.map(({ seat, state, attempts }) => [modelOf.get(seat), state, attempts])).toEqual([
      ['demo-ada', 'done', 1],
      ['demo-slow', 'cut', 1],
      ['demo-unreliable', 'done', 2],
      ['demo-dissenter', 'done', 1],
    ]);
    expect(verdict?.explanation).toMatch(/Dissent:\n(?:- .+\n)*- Demo Dissenter: \S/);
    expect(answer).toContain('(Scripted demo answer: ');
  });
});
