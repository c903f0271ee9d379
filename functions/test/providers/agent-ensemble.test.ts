import { type LoopMessage, type ProtocolName, type ReportedCall, startCachingApp } from '../support/caching-upstream';
import type { WireCompletion } from '../support/wire';

/**
 * The loop of an agent with an ensemble, over real HTTP and in the providers' own protocols: 20 requests in three turns of
 * the user, the last of each answered without a call. The upstream keeps prompts as its provider does.
 */

/** Requests of each turn of the user. */
const TURNS = [7, 7, 6];
const REQUESTS = 20;
/** Tokens of an arbiter's reply, and of advice of 120 words. */
const REPLY_TOKENS = 150;
const ADVICE_TOKENS = 160;

const SYSTEM = `You edit code. “Grüße” 世界 🍅\n${'Read a file before you change it, and say why you do.\n'.repeat(800)}`;
const TOOLS = ['read_file', 'edit_file', 'run'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `To ${name}. ${'It takes a path below the project. '.repeat(20)}`,
    parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
  },
}));
const RESULT = 'if (a < b) return "x";\n'.repeat(180);

const isArbiters = ({ request }: Pick<ReportedCall, 'request'>): boolean =>
  /"(?:tools|functionDeclarations)":/.test(request.body);

/** The whole loop by one protocol: what was asked, and what it cost. */
async function played(protocol: ProtocolName, asked: object) {
  let acted = 0;
  const ends = TURNS.map((_, turn) => TURNS.slice(0, turn + 1).reduce((sum, count) => sum + count));
  await using service = await startCachingApp(protocol, (_, request) => {
    if (!isArbiters({ request }))
      return { text: 'Do: read the parser first. Check: run its tests.', calls: [], tokens: ADVICE_TOKENS };
    acted += 1;
    const isEnd = ends.includes(acted);
    return {
      text: isEnd ? 'Done.' : 'I look.',
      calls: isEnd ? [] : [{ path: `src/${acted}.ts` }],
      tokens: REPLY_TOKENS,
    };
  });
  const messages: LoopMessage[] = [{ role: 'system', content: SYSTEM }];
  const replies: WireCompletion[] = [];
  for (const [turn, requests] of TURNS.entries()) {
    messages.push({ role: 'user', content: `Make test ${turn} of the parser pass.` });
    for (let at = 0; at < requests; at += 1) {
      const answered = (await (await service.app.chat({ messages, tools: TOOLS, ...asked })).json()) as WireCompletion;
      replies.push(answered);
      const { message } = answered.choices[0] as unknown as { readonly message: LoopMessage };
      const results = (message.tool_calls ?? []).map(({ id }) => ({ role: 'tool', tool_call_id: id, content: RESULT }));
      messages.push(message, ...results);
    }
  }
  return { calls: service.calls, replies, totalCost: await service.totalCost() };
}

describe.each<{ protocol: ProtocolName; model: string; participant: string; list: string }>([
  { protocol: 'anthropic', model: 'claude-sonnet-5', participant: 'claude-haiku-4-5', list: 'messages' },
  { protocol: 'openai', model: 'gpt-5.6', participant: 'gpt-5-mini', list: 'messages' },
  { protocol: 'google', model: 'gemini-2.5-pro', participant: 'gemini-2.5-flash', list: 'contents' },
])('$model advised by three of $participant, in a loop of tools', ({ protocol, model, participant, list }) => {
  let loop: Awaited<ReturnType<typeof played>>;
  beforeAll(async () => {
    loop = await played(protocol, { model, ai_ensemble: { models: [participant, participant, participant] } });
  });

  it('asks its arbiter once a request, and its participants once a turn of the user', () => {
    expect(loop.replies.map(({ degraded }) => degraded)).toEqual(Array(REQUESTS).fill(undefined));
    const asked = loop.calls.map((call) => (isArbiters(call) ? 'A' : 'p')).join('');
    expect(asked).toBe(TURNS.map((count) => `ppp${'A'.repeat(count)}`).join(''));
  });

  it('sends requests each of which begins byte by byte with the one before, whoever spoke last; only marks move', () => {
    const bodies = loop.calls.filter(isArbiters).map(({ request }) => {
      const body = request.body.replaceAll(',"cache_control":{"type":"ephemeral"}', '');
      const turns = JSON.stringify(JSON.parse(body)[list]);
      expect(body).toContain(turns);
      return { turns: turns.slice(0, -1), around: body.replace(turns, '') };
    });
    for (const [at, { turns, around }] of bodies.entries()) {
      expect(around).toBe(bodies[0]?.around);
      if (at > 0) expect(turns.startsWith(bodies[at - 1]?.turns ?? '?')).toBe(true);
    }
  });

  it('reads from the cache what the request before has left there', () => {
    const arbiters = loop.calls.filter(isArbiters);
    for (const [at, call] of arbiters.slice(1).entries())
      expect(call.read).toBeGreaterThanOrEqual(0.95 * (arbiters[at]?.prompt ?? 0));
  });

  it('costs at most 1.3 times its arbiter alone, whose prompts are kept as well, also with participants as dear', async () => {
    const alone = await played(protocol, { model });
    expect(alone.calls).toHaveLength(REQUESTS);
    const dear = await played(protocol, { model, ai_ensemble: { models: [model, model, model] } });
    expect(loop.totalCost).toBeLessThanOrEqual(1.3 * alone.totalCost);
    expect(dear.totalCost).toBeLessThanOrEqual(1.3 * alone.totalCost);
  });
});
