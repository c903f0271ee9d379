import type { ProviderCall } from '../../src/models/model';
import type { TracedEvent } from '../../src/runs/trace-event';
import { errorBody } from '../support/api-errors';
import { QUESTION, sharedApp } from '../support/app';
import { failing, PLAIN, type Script, type ScriptedReply } from '../support/scripted-models';
import { readStream } from '../support/wire';

const READ = {
  type: 'function',
  function: { name: 'read_file', description: 'Reads a file.', parameters: { properties: { path: {} } } },
};
const PNG = `data:image/png;base64,${Buffer.from('89504e470d0a1a0a00', 'hex').toString('base64')}`;
const PANEL = ['gpt-4.1', 'claude-sonnet-5', 'gemini-2.5-flash'];
const ARBITER = 'gpt-4o';
const AGENT = { model: ARBITER, tools: [READ], ai_ensemble: { models: PANEL, includeCandidates: true } };
const ASKED = [{ role: 'user', content: QUESTION }];
const CALL = { id: 'call_1', name: 'read_file', arguments: '{"path":"fruit.md"}' };
const called = ({ id, ...each } = CALL) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: each }],
});
const returned = (content: string, id = CALL.id) => ({ role: 'tool', tool_call_id: id, content });

const adviceOf = ({ providerModel }: ProviderCall) =>
  `Read fruit.md first, thinks number ${PANEL.indexOf(providerModel)}.`;
/** Participants advise; the arbiter calls a tool until it was returned something. */
const SCRIPT: Script = (call) => {
  if (call.purpose === 'advise') return { text: adviceOf(call) };
  const isOver = call.prompt.turns.at(-1)?.toolResults;
  return isOver ? { text: 'It is a berry.' } : { text: '', toolCalls: [CALL] };
};

describe('POST /v1/chat/completions: an ensemble with tools', () => {
  const app = sharedApp({ script: SCRIPT, env: { RATE_LIMIT_RPM: '1000' } });
  const complete = (fields: Record<string, unknown> = {}, key?: string) =>
    app.complete({ ...AGENT, messages: ASKED, ...fields }, key);
  const goOn = (fields: Record<string, unknown> = {}, key?: string) =>
    complete({ messages: [...ASKED, called(), returned('A tomato is a berry.')], ...fields }, key);
  const purposes = (calls: readonly ProviderCall[]) => calls.map(({ purpose }) => purpose);

  it('lets its participants advise on a new message, and its arbiter call', async () => {
    const { status, body, calls } = await complete();
    expect(status).toBe(200);
    expect(purposes(calls)).toEqual(['advise', 'advise', 'advise', 'answer']);
    expect(body.choices[0]).toMatchObject({ message: called(), finish_reason: 'tool_calls' });
    expect(body.choices[0].candidates?.map(({ response }) => response)).toEqual(
      [0, 1, 2].map((n) => `Read fruit.md first, thinks number ${n}.`),
    );
    expect([body.ignored, body.degraded]).toEqual([undefined, undefined]);
    const [advised] = calls;
    expect(advised?.prompt.tools).toBeUndefined();
    expect(advised?.prompt.turns.at(-1)?.text).toContain('read_file(path): Reads a file.');
    expect(calls.at(-1)?.prompt.tools?.tools).toEqual([READ.function]);
  });

  it('gives the choice of several tools, or behind other calls, to the provider of its arbiter', async () => {
    const NOW = { type: 'function', function: { name: 'now' } };
    const required = await complete({ tools: [READ, NOW], tool_choice: 'required', parallel_tool_calls: false });
    expect(required.calls.at(-1)?.prompt.tools).toMatchObject({ choice: 'required', parallel: false });
    const named = { type: 'function', function: { name: 'read_file' } };
    expect((await goOn({ tool_choice: named })).calls.at(-1)?.prompt.tools?.choice).toEqual({ name: 'read_file' });
  });

  it('streams what its arbiter calls', async () => {
    const { chunks } = await readStream(await app.chat({ ...AGENT, messages: ASKED, stream: true }));
    const pieces = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
    expect(pieces.map((piece) => piece.function.arguments).join('')).toBe(CALL.arguments);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('tool_calls');
  });

  it('goes on with the same advice in the same place, and asks nobody again', async () => {
    const first = await complete();
    const { body, calls } = await goOn();
    expect(purposes(calls)).toEqual(['answer']);
    const [opening] = first.calls.at(-1)?.prompt.turns ?? [];
    expect(calls[0]?.prompt.turns[0]).toEqual(opening);
    for (const { providerModel } of first.calls.slice(0, 3))
      expect(opening?.text).toContain(adviceOf({ providerModel } as ProviderCall));
    expect(calls[0]?.prompt.turns.at(-1)).toEqual({
      role: 'user',
      text: '',
      toolResults: [{ callId: 'call_1', name: 'read_file', text: 'A tomato is a berry.' }],
    });
    expect(body.choices[0].message.content).toBe('It is a berry.');
    expect(body.degraded).toBeUndefined();
    expect(body.choices[0].candidates).toHaveLength(3);
  });

  it('asks anew, once, where the advice is not there or is too old, and says so', async () => {
    const messages = [{ role: 'user', content: 'Is a cucumber one?' }, called(), returned('Yes.')];
    const first = await goOn({ messages });
    expect(purposes(first.calls)).toHaveLength(4);
    expect(first.body.degraded).toEqual([
      "The advice on the user's last message was not found, and was asked for anew",
    ]);
    expect(purposes((await goOn({ messages })).calls)).toEqual(['answer']);
    await app.clock.advance(3_600_000);
    expect(purposes((await goOn({ messages })).calls)).toHaveLength(4);
  });

  it('asks anew once in a turn whose instructions change with each request, and shows none what was advised under others', async () => {
    const said = [{ role: 'user', content: 'Is a melon one?' }, called(), returned('Yes.')];
    const at = async (time: string) => {
      const { calls, body } = await goOn({ messages: [{ role: 'system', content: `It is ${time}.` }, ...said] });
      return [purposes(calls).length, calls.at(-1)?.prompt.turns[0]?.text.includes('Read fruit.md'), body.degraded];
    };
    expect(await at('1 p.m.')).toEqual([4, true, [expect.stringContaining('was not found, and was asked for anew')]]);
    const alone = [1, false, ['No participant gave advice: GPT-4o acts alone']];
    expect([await at('2 p.m.'), await at('3 p.m.')]).toEqual([alone, alone]);
    expect(await at('1 p.m.')).toEqual([1, true, undefined]);
  });

  it('finds advice again on a message with a speaker and an image', async () => {
    const image = { type: 'image_url', image_url: { url: PNG } };
    const said = { role: 'user', name: 'ada', content: [{ type: 'text', text: 'Is this one?' }, image] };
    await complete({ messages: [said] });
    expect(purposes((await goOn({ messages: [said, called(), returned('Yes.')] })).calls)).toEqual(['answer']);
  });

  it('begins every request of a turn alike where nobody advises and the answer is to be JSON', async () => {
    const fields = {
      ai_ensemble: { ...AGENT.ai_ensemble, agent: { advise: 'never' } },
      response_format: { type: 'json_object' },
    };
    app.models.play((call) => (call.prompt.turns.at(-1)?.toolResults ? { text: '{}' } : SCRIPT(call)));
    const beginnings = [await complete(fields), await goOn(fields)].map(({ calls }) => calls[0]?.prompt.turns[0]);
    expect(beginnings[0]?.text).toContain('JSON');
    expect(beginnings[1]).toEqual(beginnings[0]);
  });

  describe('when the user speaks again', () => {
    const NOTE = { role: 'user', content: 'It is noon.' };
    const AND = { role: 'user', content: 'And a leek?' };
    const ended = (content: string) => [
      { role: 'user', content },
      called(),
      returned('Yes.'),
      { role: 'assistant', content: 'It is one.' },
    ];
    const shownTo = ({ calls }: { readonly calls: readonly ProviderCall[] }) => calls.at(-1)?.prompt.turns ?? [];
    const asked = async (messages: readonly object[], key?: string) => shownTo(await complete({ messages }, key));
    const advised = (turns: ReturnType<typeof shownTo>) =>
      turns.filter(({ text }) => text.includes('Advice on')).length;

    it('goes on below what its arbiter was shown in earlier turns, byte by byte, which stays until the turn is over', async () => {
      const form = { response_format: { type: 'json_object' } };
      app.models.play((call) => (call.prompt.turns.at(-1)?.toolResults ? { text: '{}' } : SCRIPT(call)));
      const loop = [...ended('Is a quince one?'), NOTE, AND, called(), returned('No.')];
      const ask = async (upTo: number) => shownTo(await complete({ ...form, messages: loop.slice(0, upTo) }));
      const turns = [await ask(1), await ask(3)];
      await app.clock.advance(1_800_000);
      turns.push(await ask(6));
      await app.clock.advance(1_800_000);
      turns.push(await ask(8));
      loop.push({ role: 'assistant', content: 'No.' }, { role: 'user', content: 'And a fig?' });
      turns.push(await ask(10));
      expect(turns.map((each) => [each.length, advised(each)])).toEqual([
        [1, 1],
        [3, 1],
        [6, 2],
        [8, 2],
        [10, 3],
      ]);
      for (const [at, each] of turns.slice(1).entries()) expect(each.slice(0, turns[at]?.length)).toEqual(turns[at]);
    });

    it('begins anew, without a word, where that is too old, was for another user, or advice is not wanted any more', async () => {
      const before = ended('Is a medlar one?');
      const again = [...before, AND];
      await asked(before.slice(0, 1));
      expect(advised(await asked(again))).toBe(2);
      expect(advised(await asked(again, await app.user('eve', 'pro')))).toBe(1);
      const never = { ai_ensemble: { ...AGENT.ai_ensemble, agent: { advise: 'never' } } };
      expect(advised(shownTo(await complete({ messages: again, ...never })))).toBe(0);
      await app.clock.advance(3_600_000);
      const late = await complete({ messages: again });
      expect([advised(shownTo(late)), late.body.degraded]).toEqual([1, undefined]);
    });

    it('begins anew where that would be more than 60,000 characters', async () => {
      app.models.play((call) => (call.purpose === 'advise' ? { text: 'Look. '.repeat(660) } : SCRIPT(call)));
      const messages: object[] = [];
      const seen: number[] = [];
      for (const fruit of ['pear', 'plum', 'date', 'lime', 'kiwi', 'guava', 'mango']) {
        const turn = ended(`Is a ${fruit} one?`);
        seen.push(advised(await asked([...messages, turn[0] ?? {}])));
        messages.push(...turn);
      }
      // Three of 3,960 characters in each turn, with the words around them.
      expect(seen).toEqual([1, 2, 3, 4, 5, 1, 2]);
    });
  });

  it('never shows one user what another was advised, though both say the same', async () => {
    const bob = await app.user('bob', 'pro');
    await complete();
    const { calls } = await goOn({}, bob);
    expect(purposes(calls)).toEqual(['advise', 'advise', 'advise', 'answer']);
  });

  it.each([
    [{ ai_ensemble: { agent: { advise: 'always' } } }, 'ai_ensemble.agent.advise: must be turn or never'],
    [{ ai_ensemble: { agent: [] } }, 'ai_ensemble.agent: must be an object'],
    [{ ai_ensemble: { agent: { review: 4 } } }, 'ai_ensemble.agent.review: must be an integer from 0 to 3'],
    [
      { messages: [...ASKED, returned('What?')] },
      'messages[1].tool_call_id: must be the id of a call by the assistant before it',
    ],
    [
      { messages: [...ASKED, called(), returned('A'), returned('B')] },
      'messages[3].tool_call_id: must be the id of a call by the assistant before it',
    ],
    [
      { messages: [{ role: 'user', content: 'Hi' }, { role: 'function', name: 'read_file', content: 'A' }, ...ASKED] },
      'messages[1].tool_call_id: must be the id of a call by the assistant before it',
    ],
  ])('refuses what it cannot read (case %#)', async (fields, rule) => {
    const { status, body, calls } = await complete(fields);
    expect({ status, body, calls }).toEqual({ status: 400, body: errorBody(`Invalid ${rule}`), calls: [] });
  });

  it('asks nobody for advice where it is not wanted, and shows the conversation as it came', async () => {
    const { calls } = await complete({ ai_ensemble: { ...AGENT.ai_ensemble, agent: { advise: 'never' } } });
    expect(calls.map(({ prompt }) => prompt.turns)).toEqual([[{ role: 'user', text: QUESTION }]]);
  });

  it('acts without advice where nobody gives any, says so, and does not ask again in the turn', async () => {
    app.models.play((call) => (call.purpose === 'advise' ? failing('bad_request') : SCRIPT(call)));
    const messages = [{ role: 'user', content: 'Is a pumpkin one?' }];
    const { body } = await complete({ messages });
    expect(body.choices[0].finish_reason).toBe('tool_calls');
    const alone = 'No participant gave advice: GPT-4o acts alone';
    expect(body.degraded?.at(-1)).toBe(alone);
    app.models.play(SCRIPT);
    const next = await complete({ messages: [...messages, called(), returned('Yes.')] });
    expect([purposes(next.calls), next.body.degraded]).toEqual([['answer'], [alone]]);
    expect(next.calls[0]?.prompt.turns[0]).toEqual({ role: 'user', text: 'Is a pumpkin one?' });
  });

  it('lets a participant step in where the arbiter fails', async () => {
    app.models.play((call) =>
      call.purpose !== 'advise' && call.providerModel === ARBITER ? failing('unavailable') : SCRIPT(call),
    );
    const { body } = await complete();
    expect(body.choices[0].finish_reason).toBe('tool_calls');
    expect(body.degraded?.[0]).toMatch(/^GPT-4o \(.*\) failed to write the answer; .* stepped in$/);
  });

  it.each([
    ['<tool_call>{"name": "read_file"}</tool_call>\nRead it.', 'Read it.'],
    ['Read it.\n```json\n{"name": "read_file", "arguments": {}}\n```', 'Read it.'],
    ['Read it. <|python_tag|>read_file("fruit.md")', 'Read it.'],
    [
      'Read it. <function_calls><invoke name="read_file">a</invoke></function_calls> Then tell.',
      'Read it.  Then tell.',
    ],
  ])('shows no call that a participant only writes: %j', async (text, shown) => {
    app.models.play((call) => (call.purpose === 'advise' ? { text } : SCRIPT(call)));
    const { body, calls } = await complete();
    expect(body.choices[0].candidates?.map(({ response }) => response)).toEqual([shown, shown, shown]);
    expect(calls.at(-1)?.prompt.turns[0]?.text).not.toMatch(/tool_call|"arguments"|python_tag|invoke/);
  });

  it('that goes on has a status of its own where nobody can act, in a stream too; where advice is asked for it has begun', async () => {
    app.models.play((call) => (call.purpose === 'advise' ? SCRIPT(call) : failing('context_length')));
    const ask = async (messages: object[]) => {
      const { status, headers } = await app.chat({ ...AGENT, messages, stream: true });
      return [status, headers.get('content-type')?.split(';')[0]];
    };
    expect(await ask(ASKED)).toEqual([200, 'text/event-stream']);
    app.models.play(SCRIPT);
    await complete();
    app.models.play(() => failing('context_length'));
    expect(await ask([...ASKED, called(), returned('A tomato is a berry.')])).toEqual([400, 'application/json']);
  });

  it('is shown to nobody in part: what is too long for all who could act is said in the words agents look for', async () => {
    app.models.play((call) => (call.purpose === 'advise' ? SCRIPT(call) : failing('context_length')));
    const text = 'a berry, '.repeat(100_000);
    const { status, body, calls } = await goOn({ messages: [...ASKED, called(), returned(text)] });
    const acting = calls.filter(({ purpose }) => purpose === 'answer');
    expect(acting.map(({ providerModel }) => providerModel)).toEqual([ARBITER, ...PANEL]);
    for (const { prompt } of acting) {
      expect(prompt.turns[0]?.text).toContain(QUESTION);
      expect(prompt.turns.at(-1)?.toolResults).toEqual([expect.objectContaining({ text })]);
    }
    expect(status).toBe(400);
    const { message } = (body as unknown as { error: { message: string } }).error;
    expect(message).toMatch(/maximum context length is 128000 tokens.*; please reduce the length of the messages/);
  });

  it('tells what has no effect with tools, and what has none without', async () => {
    const options = { ...AGENT.ai_ensemble, strategy: 'debate_tournament', rounds: 2, includeReasoning: true };
    const { body } = await complete({ ai_ensemble: options });
    expect(body.ignored).toEqual(
      ['includeReasoning', 'rounds', 'strategy'].map((name) => `ai_ensemble.${name}: no effect with tools`),
    );
    app.models.play(PLAIN);
    const without = await complete({ tools: undefined, ai_ensemble: { ...AGENT.ai_ensemble, agent: {} } });
    expect(without.body.ignored).toEqual(['ai_ensemble.agent: the request offers no tools to an ensemble']);
  });

  it('is planned, as it would be played', async () => {
    const fields = { ...AGENT, messages: ASKED, ai_ensemble: { ...AGENT.ai_ensemble, dryRun: true } };
    const { body } = await app.complete<{ readonly plan: Record<string, unknown> }>(fields);
    expect(body.plan).toMatchObject({ strategy: 'agent', calls: 4 });
    const advise = PANEL.map((modelId) => ({ modelId, purpose: 'advise' }));
    expect(body.plan['waves']).toEqual([{ calls: advise }, { calls: [{ modelId: ARBITER, purpose: 'answer' }] }]);
  });

  it('lets the arbiter act alone, with its tools, where advice would cost more than it may', async () => {
    const asked = { ...AGENT, messages: [{ role: 'user', content: 'Is a leek one?' }] };
    const options = (more: object) => ({ ...asked, ai_ensemble: { ...AGENT.ai_ensemble, ...more } });
    const plan = await app.complete<{ plan: { costUsd: { low: number; high: number } } }>(options({ dryRun: true }));
    // Enough for a long reply of GPT-4o, at $2.50 and $10 a million tokens, and not for advice besides.
    const maxCostUsd = 0.015;
    expect(plan.body.plan.costUsd.high).toBeGreaterThan(maxCostUsd);
    const { body, calls } = await app.complete(options({ maxCostUsd }));
    expect(calls.map(({ purpose, prompt }) => [purpose, prompt.tools?.tools.length])).toEqual([['answer', 1]]);
    expect(body.choices[0].finish_reason).toBe('tool_calls');
    expect(body.degraded).toEqual(['Only GPT-4o was asked: more could cost more than maxCostUsd']);
  });

  it('goes on with the advice it has, and says nothing of a cap, where its one call could cost more than it may', async () => {
    await complete();
    const { calls, body } = await goOn({ ai_ensemble: { ...AGENT.ai_ensemble, maxCostUsd: 0.005 } });
    expect(calls.map(({ prompt }) => prompt.turns[0]?.text.includes('Read fruit.md'))).toEqual([true]);
    expect(body.degraded).toBeUndefined();
  });

  it('shows in a trace whose advice its arbiter saw, also where it was found again', async () => {
    const traced = { ai_ensemble: { ...AGENT.ai_ensemble, includeTrace: true } };
    await complete();
    const { body } = await goOn(traced);
    const queued = (body as unknown as { trace: TracedEvent[] }).trace.flatMap((event) =>
      event.type === 'call' && event.state === 'queued' ? [event] : [],
    );
    expect(queued.map(({ purpose, saw }) => [purpose, saw?.map(({ seat }) => seat).sort()])).toEqual([
      ['answer', ['p1', 'p2', 'p3']],
    ]);
  });

  describe('a reply that is to be reviewed', () => {
    const REVIEWED = { messages: [{ role: 'user', content: 'Is a melon one? Look.' }] };
    const options = (review: number) => ({ ai_ensemble: { ...AGENT.ai_ensemble, agent: { review } } });
    const isReview = ({ prompt }: ProviderCall) => prompt.turns.at(-1)?.text.includes('APPROVE') ?? false;
    const isRedo = ({ prompt }: ProviderCall) => prompt.turns.at(-1)?.text.includes('was not sent yet') ?? false;
    /** Reviewers say one verdict each; the arbiter replies at once, and `redone` when it is asked to. */
    const playReviews = (verdicts: readonly string[], redone: ScriptedReply = { text: 'It is one, says fruit.md.' }) =>
      app.models.play((call) => {
        if (isReview(call)) return { text: verdicts[PANEL.indexOf(call.providerModel)] ?? '' };
        if (call.purpose === 'advise') return SCRIPT(call);
        return isRedo(call) ? redone : { text: 'It is one.' };
      });
    const OBJECTING = ['REDO\nIt never looked.', '**REDO**: No source.', 'APPROVE'];

    it('goes out as it is where most approve, once it was shown to all', async () => {
      playReviews(['APPROVE', 'APPROVE', 'REDO\nI doubt it.']);
      const { body, calls } = await complete({ ...REVIEWED, ...options(3) });
      expect(purposes(calls)).toEqual([...Array(3).fill('advise'), 'answer', ...Array(3).fill('review')]);
      for (const { prompt } of calls.filter(isReview)) expect(prompt.turns.at(-1)?.text).toContain('It is one.');
      expect(body.choices[0].message).toEqual({ role: 'assistant', content: 'It is one.' });
    });

    it('is redone by its author, who sees what was objected and by nobody’s name, and goes out with it', async () => {
      playReviews(OBJECTING);
      const { body, calls } = await complete({ ...REVIEWED, ...options(1) });
      const redo = calls.filter(isRedo);
      expect(redo).toHaveLength(1);
      const [written, complaint] = redo[0]?.prompt.turns.slice(-2) ?? [];
      expect(written).toEqual({ role: 'assistant', text: 'It is one.' });
      expect(complaint?.text).toMatch(/It never looked\.[\s\S]*No source\./);
      expect(complaint?.text).not.toMatch(/GPT|Claude|Gemini/);
      expect(redo[0]?.prompt.tools?.tools).toEqual([READ.function]);
      const { content, explanation } = body.choices[0].message;
      expect(content).toBe('It is one, says fruit.md.');
      expect(explanation).toBe('Review:\n- GPT-4.1: It never looked.\n- Claude Sonnet 5: No source.');
    });

    it('is streamed once it is settled, and nothing of what was held back', async () => {
      playReviews(OBJECTING);
      const { chunks } = await readStream(await app.chat({ ...AGENT, ...REVIEWED, ...options(1), stream: true }));
      const texts = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta.content ?? ''));
      expect(texts.join('')).toBe('It is one, says fruit.md.');
      const told = chunks.flatMap(({ status }) => /has .*\(3 of 3\)$/.exec(status ?? '')?.[0] ?? []);
      expect(told).toEqual(['has given advice (3 of 3)', 'has finished its review (3 of 3)']);
    });

    it('may become calls, and is reviewed no more often in the whole turn than was asked for', async () => {
      playReviews(OBJECTING, { text: '', toolCalls: [CALL] });
      const { body } = await complete({ ...REVIEWED, ...options(2) });
      expect(body.choices[0]).toMatchObject({ finish_reason: 'tool_calls', message: called() });
      expect(body.choices[0].message.explanation).toBeUndefined();
      const messages = [...REVIEWED.messages, called(), returned('A melon is a berry.')];
      playReviews(OBJECTING);
      const next = await complete({ messages, ...options(2) });
      expect(next.calls.filter(isReview)).toHaveLength(3);
      const last = await complete({
        messages: [...messages, called({ ...CALL, id: 'c2' }), returned('Yes.', 'c2')],
        ...options(2),
      });
      expect(last.calls.filter(isReview)).toHaveLength(0);
    });

    it('is reviewed no more often where each request of the turn has other instructions', async () => {
      const said = [{ role: 'user', content: 'Is a quince one? Look.' }, called(), returned('No.')];
      const at = async (time: string) => {
        const messages = [{ role: 'system', content: `It is ${time}.` }, ...said];
        return (await complete({ messages, ...options(1) })).calls.filter(isReview).length;
      };
      app.models.play((call) => (call.purpose === 'advise' ? SCRIPT(call) : { text: '', toolCalls: [CALL] }));
      expect(await at('1 p.m.')).toBe(0);
      playReviews(OBJECTING, { text: '', toolCalls: [CALL] });
      expect([await at('2 p.m.'), await at('3 p.m.')]).toEqual([3, 0]);
    });

    it('goes out where nobody gives a verdict, which is said', async () => {
      playReviews(['Fine by me.', 'Hm.', 'I approve.']);
      const { body } = await complete({ ...REVIEWED, ...options(1) });
      expect(body.choices[0].message.content).toBe('It is one.');
      expect(body.degraded?.at(-1)).toBe('The reply was not reviewed: no participant gave a verdict');
    });

    it('is not held back where its turn has calls, which come with it', async () => {
      app.models.play((call) => (call.purpose === 'advise' ? SCRIPT(call) : { text: 'Wait.', toolCalls: [CALL] }));
      const { chunks } = await readStream(await app.chat({ ...AGENT, ...REVIEWED, ...options(1), stream: true }));
      const pieces = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
      expect(pieces.map((piece) => piece.function.arguments).join('')).toBe(CALL.arguments);
      expect(app.models.calls.filter(isReview)).toEqual([]);
    });
  });
});
