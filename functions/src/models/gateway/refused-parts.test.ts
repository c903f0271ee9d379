import { fails, modelOf, playedGateway, says, type Turn } from '../../../test/support/played-gateway';
import type { ProviderCall } from '../model';
import { ModelFault, type ModelFaultKind } from '../model-fault';
import type { GatewayCall } from './gateway-call';

const SCHEMA = { name: 'verdict', schema: { type: 'object' } };
const JUDGED = { purpose: 'judge', sampling: { temperature: 0 }, outputSchema: SCHEMA } as const;
const form = (title: string) => ({ name: title, schema: { title } });
const ANSWERED = { purpose: 'answer', sampling: { temperature: 0.5 }, outputSchema: form('a') } as const;
const THINKS = { model: modelOf('gpt-5.5'), reasoningEffort: 'high', outputSchema: SCHEMA, purpose: 'plan' } as const;

/** Answers, unless there is a fault in what it was sent. */
const unless =
  (fault: (call: ProviderCall) => ModelFaultKind | undefined): Turn =>
  (call, listener) => {
    const kind = fault(call);
    return (kind ? fails(kind) : says('fine'))(call, listener);
  };
const refusesSchemas = unless(({ outputSchema }) => (outputSchema ? 'bad_request' : undefined));
const refusesHeat = unless(({ sampling }) => ((sampling.temperature ?? 0) > 1 ? 'bad_request' : undefined));
const refusesEffort: Turn = (call, listener) => {
  const fault = new ModelFault('bad_request', { refuses: ['reasoningEffort'] });
  return call.reasoningEffort ? Promise.reject(fault) : says('fine')(call, listener);
};
const refusesBoth: Turn = (call, listener) => (call.outputSchema ? refusesSchemas : refusesEffort)(call, listener);

/** Rule, model, calls, and the schemas, temperatures and efforts that are sent, `-` for none. */
type Row = readonly [rule: string, turn: Turn, calls: readonly Partial<GatewayCall>[], sent: readonly string[]];

const ROWS: readonly Row[] = [
  ['a schema is passed on, with the sampling', says('fine'), [JUDGED], ['verdict 0 -']],
  [
    'a refused schema is left out with the sampling, and from then on',
    ...([refusesSchemas, [JUDGED, JUDGED], ['verdict 0 -', '- - -', '- - -']] as const),
  ],
  [
    'a schema refused by one model is sent to another',
    ...([refusesSchemas, [JUDGED, { ...JUDGED, model: modelOf('gpt-4.1') }]] as const),
    ['verdict 0 -', '- - -', 'verdict 0 -', '- - -'],
  ],
  [
    'regression: a schema refused for one caller’s temperature is kept for all others',
    ...([refusesHeat, [{ ...JUDGED, sampling: { temperature: 2 } }, JUDGED]] as const),
    ['verdict 2 -', '- - -', 'verdict 0 -'],
  ],
  [
    'a call refused for another reason is refused both times, and nothing is remembered',
    ...([fails('bad_request'), [JUDGED, JUDGED], ['verdict 0 -', '- - -', 'verdict 0 -', '- - -']] as const),
  ],
  ['a schema is kept after another fault', fails('content_filter'), [JUDGED], ['verdict 0 -']],
  [
    'a schema is kept where nothing is left to pay for more',
    ...([refusesSchemas, [{ ...JUDGED, mayAskAgain: () => false }], ['verdict 0 -']] as const),
  ],
  [
    'the schema of an answer is left out without the caller’s sampling, and says nothing of another form',
    ...([refusesSchemas, ['a', 'b', 'a'].map((title) => ({ ...ANSWERED, outputSchema: form(title) }))] as const),
    ['a 0.5 -', '- 0.5 -', 'b 0.5 -', '- 0.5 -', '- 0.5 -'],
  ],
  [
    'an effort refused by name is left out, and from then on, of that model and that effort only',
    refusesEffort,
    [THINKS, THINKS, { ...THINKS, reasoningEffort: 'low' }, { ...THINKS, model: modelOf('gpt-5-mini') }],
    ['high', '-', '-', 'low', '-', 'high', '-'].map((effort) => `verdict - ${effort}`),
  ],
  ['an effort is kept where the schema is refused', refusesSchemas, [THINKS], ['verdict - high', '- - high']],
  [
    'an effort and a schema are both left out where both are refused',
    ...([refusesBoth, [THINKS], ['verdict - high', '- - high', '- - -']] as const),
  ],
  ['an effort is asked of any model, once', refusesEffort, [{ reasoningEffort: 'high' }], ['- - high', '- - -']],
];

it.each(ROWS)('%s', async (_, turn, calls, expected) => {
  const { settle, sent } = playedGateway(turn);
  for (const call of calls) await settle(call);
  const shown = sent.map(({ outputSchema, sampling: { temperature }, reasoningEffort }) =>
    [outputSchema?.name, temperature, reasoningEffort].map((value) => value ?? '-').join(' '),
  );
  expect(shown).toEqual(expected);
});

it('a refused schema leaves the call its retry, as attempts of its own', async () => {
  const { settle, attempts } = playedGateway([fails('bad_request'), fails('overloaded'), says('fine')]);
  expect(await settle(JUDGED)).toMatchObject({ ok: true, refused: ['outputSchema'] });
  expect(attempts).toEqual([1, 2, 3]);
});

it.each([
  ['one that keeps its models to it: piece by piece', true, says('fine'), ['fine']],
  ['one that does not: not at all', false, says('fine'), []],
  ['one that refuses it: not at all', true, refusesSchemas, []],
] as const)('text in a form is passed on from a provider by %s', async (_, holds, turn, passed) => {
  const pieces: string[] = [];
  const { settle } = playedGateway(turn, { holds: () => holds });
  const onText = (piece: string) => void pieces.push(piece);
  expect(await settle({ ...ANSWERED, onText })).toMatchObject({ ok: true, text: 'fine' });
  expect(pieces).toEqual(passed);
});

it('a schema is not left out once text was passed on', async () => {
  const { settle, sent } = playedGateway(says('fine', 'bad_request'), { holds: () => true });
  expect(await settle({ ...JUDGED, onText: () => undefined })).toMatchObject({ ok: false, streamed: true });
  expect(sent).toHaveLength(1);
});
