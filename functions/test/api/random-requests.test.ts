import type { LedgerRecord } from '../../src/ledger/ledger-store';
import type { ProviderCall } from '../../src/models/model';
import { startApp } from '../support/app';
import { during } from '../support/during';
import { isLongMode } from '../support/long-mode';
import fc from '../support/properties';
import { PLAIN } from '../support/scripted-models';
import { type Json, WIRES, type WireForm, wireEvents } from '../support/wires';
import { BODIES, CANARY } from './random-bodies';

const REQUESTS_A_WIRE = isLongMode ? 10_000 : 300;
const MINUTE_MS = 61_000;

/** Tools are called where they may be: by the arbiter, and by a model that answers alone. */
function script(call: ProviderCall) {
  const { tools } = call.prompt;
  const isCalled = call.purpose === 'answer' && tools && tools.choice !== 'none';
  if (!isCalled) return PLAIN(call);
  return { text: 'Wait.', toolCalls: [{ id: 'call_1', name: tools.tools[0]?.name ?? '', arguments: '{"word":"a"}' }] };
}

/** One request, what came of it, and what of that is in the books. */
interface Asked {
  readonly body: Json;
  readonly status: number;
  readonly raw: string;
  readonly isStream: boolean;
  readonly calls: number;
  readonly record: LedgerRecord | undefined;
}

/** Words for what is not as it has to be. */
const flawsIn = (rules: readonly (readonly [isKept: boolean, flaw: string])[]): string[] =>
  rules.flatMap(([isKept, flaw]) => (isKept ? [] : [flaw]));

function flawsOfRefusal({ status, raw, record, calls }: Asked, errorOf: WireForm['errorOf']): string[] {
  const error = errorOf(JSON.parse(raw));
  return flawsIn([
    [status === 400, `status ${status}`],
    [error !== undefined, `no error of the protocol: ${raw}`],
    [/^(?:Invalid |Model )/.test(error?.message ?? ''), `unclear: ${raw}`],
    [!raw.includes(CANARY), `repeats what was said: ${raw}`],
    [!record && calls === 0, `booked, or called ${calls} times`],
  ]);
}

/** Flaws of an answer, or with the books about it. */
function flawsOfAnswer({ body, raw, isStream, record, calls }: Asked, wire: WireForm): string[] {
  const events = isStream ? wireEvents(raw) : [];
  const said = isStream ? wire.streamed(events) : { ...wire.whole(JSON.parse(raw)), isWhole: true };
  const isPlan = body.ai_ensemble?.dryRun === true;
  const rows = record?.calls ?? [];
  const booked = rows.reduce(
    ([input, output], row) => [input + row.promptTokens, output + row.completionTokens] as const,
    [0, 0] as readonly [number, number],
  );
  return flawsIn([
    [isStream === (body.stream === true), 'streamed unasked, or the other way round'],
    [said.text.trim() !== '' || said.calls > 0, `says nothing: ${raw}`],
    [said.isWhole, `not whole: ${raw.slice(-300)}`],
    [events.every(({ name, data }) => name === undefined || name === data?.type), 'an event by another name'],
    [isPlan ? !record : record?.state === 'settled', `the record is ${record?.state}`],
    [rows.length === calls, `${calls} calls, ${rows.length} in the books`],
    [!said.tokens || `${said.tokens}` === `${booked}`, `tells ${said.tokens}, booked are ${booked}`],
  ]);
}

/** The message that ends a reply of MCP; undefined for a notification's. */
function lastMessage({ raw, isStream }: Asked): Json {
  if (isStream) return wireEvents(raw).at(-1)?.data;
  return raw === '' ? undefined : JSON.parse(raw);
}

function flawsOfMcpReply(asked: Asked, isSound: boolean): string[] {
  const { body, status, raw, record, calls } = asked;
  const last = lastMessage(asked);
  const isResult = last?.result !== undefined;
  const isFailed = !isResult || last.result.isError === true;
  return flawsIn([
    [[200, 202, 400].includes(status), `status ${status}: ${raw}`],
    [status === 202 || isResult || last.error !== undefined, `no result: ${raw}`],
    [!isResult || (last.jsonrpc === '2.0' && last.id === body.id), `a result for another: ${raw}`],
    [!isSound || !isFailed, `refused: ${raw}`],
    [!isFailed || !raw.includes(CANARY), `repeats what was said: ${raw}`],
    [record?.state === (calls === 0 ? undefined : 'settled'), `the record is ${record?.state}`],
    [calls === (record?.calls.length ?? 0), `${calls} calls, ${record?.calls.length} in the books`],
  ]);
}

/**
 * Random conversations in each protocol, sound or with something put, removed, doubled or renamed at any place: each is
 * answered, or refused in the form of its protocol, nothing of what was said stands in an error or in the log, and the books
 * have every call of what was answered and nothing of what was refused.
 */
describe(`${REQUESTS_A_WIRE} random requests`, () => {
  const app = during('all', () =>
    startApp({ script, env: { RATE_LIMIT_RPM: '1000', DEFAULT_MODEL: 'gpt-4o', DEFAULT_PANEL: 'gpt-4o,gpt-4.1' } }),
  );

  const ask = async (path: string, body: Json): Promise<Asked> => {
    await app.clock.advance(MINUTE_MS);
    app.models.reset();
    app.logLines.length = 0;
    const response = await app.post(path, body);
    const { status, headers } = response;
    const raw = await response.text();
    const record = await app.container.store.findRecord(headers.get('x-request-id') ?? '');
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    return { body, status, raw, isStream, calls: app.models.calls.length, record };
  };

  /** Plays bodies of a path; every `flawsOf` is empty, and nothing that was said is in the log. Resolves with what was asked. */
  const play = async (path: string, flawsOf: (asked: Asked, isSound: boolean) => string[]): Promise<Asked[]> => {
    const played: Asked[] = [];
    const property = fc.asyncProperty(BODIES[path] as NonNullable<(typeof BODIES)[string]>, async (request) => {
      const asked = await ask(path, request.body);
      const logged = app.logLines.join('\n');
      const isSilent = ![CANARY, app.key].some((secret) => logged.includes(secret));
      expect([...flawsOf(asked, request.isSound), ...flawsIn([[isSilent, 'logged']])]).toEqual([]);
      played.push(asked);
    });
    await fc.assert(property, { numRuns: REQUESTS_A_WIRE });
    return played;
  };

  it.each(WIRES)(
    'at $path are answered and booked, or refused in its form',
    async (wire) => {
      const played = await play(wire.path, (asked, isSound) => {
        if (asked.status === 200) return flawsOfAnswer(asked, wire);
        return [...flawsOfRefusal(asked, wire.errorOf), ...flawsIn([[!isSound, `refused: ${asked.raw}`]])];
      });
      // The chance that a sound generator misses these is nil: they guard against one that tests nothing.
      const answered = played.filter(({ status }) => status === 200);
      const called = answered.filter(({ raw }) => /"(?:tool_use|function_call|tool_calls)"/.test(raw));
      expect(answered.length).toBeGreaterThan(REQUESTS_A_WIRE / 3);
      expect(answered.length).toBeLessThan(REQUESTS_A_WIRE * 0.9);
      expect(played.filter(({ isStream }) => isStream).length).toBeGreaterThan(REQUESTS_A_WIRE / 10);
      if (wire.path !== '/v1/responses') expect(called.length).toBeGreaterThan(REQUESTS_A_WIRE / 20);
    },
    REQUESTS_A_WIRE * 200,
  );

  it(
    'for a count of tokens get one, or are refused as those for a message, and are not booked',
    async () => {
      const { errorOf } = WIRES.find(({ path }) => path === '/anthropic/v1/messages') as WireForm;
      const played = await play(`/anthropic/v1/messages/count_tokens`, (asked, isSound) => {
        const { status, raw, record, calls } = asked;
        if (status !== 200) return [...flawsOfRefusal(asked, errorOf), ...flawsIn([[!isSound, `refused: ${raw}`]])];
        return flawsIn([
          [/^\{"input_tokens":[1-9]\d*\}$/.test(raw), `no count: ${raw}`],
          [!record && calls === 0, 'booked, or called'],
        ]);
      });
      expect(played.filter(({ status }) => status === 200).length).toBeGreaterThan(REQUESTS_A_WIRE / 3);
    },
    REQUESTS_A_WIRE * 200,
  );

  it(
    'of MCP clients get one result each, booked, or an error that repeats nothing',
    async () => {
      const played = await play('/mcp', flawsOfMcpReply);
      expect(played.filter(({ calls }) => calls > 0).length).toBeGreaterThan(REQUESTS_A_WIRE / 5);
    },
    REQUESTS_A_WIRE * 200,
  );
});
