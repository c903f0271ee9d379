import { fails, modelOf, playedGateway, says, type Turn } from '../../../test/support/played-gateway';
import type { ProviderCall } from '../model';
import { ModelFault, type ModelFaultKind } from '../model-fault';
import type { GatewayCall } from './gateway-call';

const SCHEMA = { name: 'verdict', schema: { type: 'object' } };
const JUDGED = { purpose: 'judge', sampling: { temperature: 0 }, outputSchema: SCHEMA } as const;
const form = (title: string) => ({ name: 'person', schema: { title } });
const ANSWERED = { purpose: 'answer', sampling: { temperature: 0.5 }, outputSchema: form('a') } as const;

/** Answers, unless there is a fault in what it was sent. */
const unless =
  (fault: (call: ProviderCall) => ModelFaultKind | undefined): Turn =>
  (call, listener) => {
    const kind = fault(call);
    return (kind ? fails(kind) : says('fine'))(call, listener);
  };
const refusesSchemas = unless(({ outputSchema }) => (outputSchema ? 'bad_request' : undefined));
const refusesHeat = unless(({ sampling }) => ((sampling.temperature ?? 0) > 1 ? 'bad_request' : undefined));

describe('a schema', () => {
  it.each<[string, Turn, Partial<GatewayCall>[], unknown[]]>([
    ['is passed on, with the sampling', says('fine'), [JUDGED], [[SCHEMA, 0]]],
    [
      'that is refused is left out with the sampling, and from then on',
      refusesSchemas,
      [JUDGED, JUDGED],
      [
        [SCHEMA, 0],
        [undefined, undefined],
        [undefined, undefined],
      ],
    ],
    [
      'refused by one model is sent to another',
      refusesSchemas,
      [JUDGED, { ...JUDGED, model: modelOf('gpt-4.1') }],
      [
        [SCHEMA, 0],
        [undefined, undefined],
        [SCHEMA, 0],
        [undefined, undefined],
      ],
    ],
    [
      'regression: refused for one caller’s temperature is kept for all others',
      refusesHeat,
      [{ ...JUDGED, sampling: { temperature: 2 } }, JUDGED],
      [
        [SCHEMA, 2],
        [undefined, undefined],
        [SCHEMA, 0],
      ],
    ],
    [
      'refused for another reason is refused both times, and nothing is remembered',
      fails('bad_request'),
      [JUDGED, JUDGED],
      [
        [SCHEMA, 0],
        [undefined, undefined],
        [SCHEMA, 0],
        [undefined, undefined],
      ],
    ],
    ['is kept after another fault', fails('content_filter'), [JUDGED], [[SCHEMA, 0]]],
    [
      'is kept where nothing is left to pay for more',
      refusesSchemas,
      [{ ...JUDGED, mayAskAgain: () => false }],
      [[SCHEMA, 0]],
    ],
    [
      'of an answer is left out without the caller’s sampling, and says nothing of another form of that name',
      refusesSchemas,
      ['a', 'b', 'a'].map((title) => ({ ...ANSWERED, outputSchema: form(title) })),
      [
        [form('a'), 0.5],
        [undefined, 0.5],
        [form('b'), 0.5],
        [undefined, 0.5],
        [undefined, 0.5],
      ],
    ],
  ])('%s', async (_, turn, changes, shapes) => {
    const { settle, sent } = playedGateway(turn);
    for (const change of changes) await settle(change);
    expect(sent.map(({ outputSchema, sampling }) => [outputSchema, sampling.temperature])).toEqual(shapes);
  });

  it('that is refused leaves the call its retry, as attempts of its own', async () => {
    const { settle, attempts } = playedGateway([fails('bad_request'), fails('overloaded'), says('fine')]);
    expect(await settle(JUDGED)).toMatchObject({ ok: true, refused: ['outputSchema'] });
    expect(attempts).toEqual([1, 2, 3]);
  });

  it.each([
    ['one that keeps its models to it: piece by piece', true, says('fine'), ['fine']],
    ['one that does not: not at all', false, says('fine'), []],
    ['one that refuses it: not at all', true, refusesSchemas, []],
  ] as const)('lets text from a provider be passed on by %s', async (_, holds, turn, passed) => {
    const pieces: string[] = [];
    const { settle } = playedGateway(turn, { holds: () => holds });
    const onText = (piece: string) => void pieces.push(piece);
    expect(await settle({ ...ANSWERED, onText })).toMatchObject({ ok: true, text: 'fine' });
    expect(pieces).toEqual(passed);
  });

  it('is not left out once text was passed on', async () => {
    const { settle, sent } = playedGateway(says('fine', 'bad_request'), { holds: () => true });
    expect(await settle({ ...JUDGED, onText: () => undefined })).toMatchObject({ ok: false, streamed: true });
    expect(sent).toHaveLength(1);
  });
});

describe('an effort', () => {
  const THINKS = { model: modelOf('gpt-5.5'), reasoningEffort: 'high', outputSchema: SCHEMA, purpose: 'plan' } as const;
  const refusesEffort: Turn = (call, listener) => {
    const fault = new ModelFault('bad_request', { refuses: ['reasoningEffort'] });
    return call.reasoningEffort ? Promise.reject(fault) : says('fine')(call, listener);
  };
  const refusesBoth: Turn = (call, listener) => (call.outputSchema ? refusesSchemas : refusesEffort)(call, listener);

  it.each<[string, Turn, Partial<GatewayCall>[], unknown[]]>([
    [
      'refused by name is left out, and from then on, of that model and that effort only',
      refusesEffort,
      [THINKS, THINKS, { ...THINKS, reasoningEffort: 'low' }, { ...THINKS, model: modelOf('gpt-5-mini') }],
      ['high', undefined, undefined, 'low', undefined, 'high', undefined].map((effort) => [effort, SCHEMA]),
    ],
    [
      'is kept where the schema is refused',
      refusesSchemas,
      [THINKS],
      [
        ['high', SCHEMA],
        ['high', undefined],
      ],
    ],
    [
      'and a schema are both left out where both are refused',
      refusesBoth,
      [THINKS],
      [
        ['high', SCHEMA],
        ['high', undefined],
        [undefined, undefined],
      ],
    ],
    ['is not sent to a model without one', refusesEffort, [{ reasoningEffort: 'high' }], [[undefined, undefined]]],
  ])('%s', async (_, turn, changes, shapes) => {
    const { settle, sent } = playedGateway(turn);
    for (const change of changes) expect(await settle(change)).toMatchObject({ ok: true });
    expect(sent.map(({ reasoningEffort, outputSchema }) => [reasoningEffort, outputSchema])).toEqual(shapes);
  });
});
