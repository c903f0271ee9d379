import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import fc from '../../../test/support/properties';
import type { ModelFaultKind } from '../model-fault';
import { Breaker } from './breaker';

const MODEL = 'openai gpt-x';
const OTHER = 'openai not-in-the-catalog';
const THREE = ['ann', 'bob', 'cay'];
const FOUR = [...THREE, 'dan'];

let clock: FakeClock;
let breaker: Breaker;
let requests: number;

beforeEach(() => {
  clock = fakeClock();
  breaker = new Breaker(clock, [MODEL]);
  requests = 0;
});

interface Report {
  readonly fault?: ModelFaultKind | undefined;
  readonly userId?: string;
  /** Default: a request of its own. */
  readonly requestId?: string;
  readonly model?: string;
}

function pass(userId: string, model = MODEL, requestId = `q${requests++}`) {
  return breaker.admit({ model, userId, requestId });
}

/** A call that ends so; true where that spares the model. Undefined when it was spared. */
function report({ fault, userId = 'ann', requestId, model }: Report): boolean | undefined {
  return pass(userId, model, requestId)?.ended(fault);
}

/** So many requests that end so, the users by turns; true where the last one spared the model. */
function requestsOf(users: readonly string[], count: number, fault?: ModelFaultKind, model = MODEL) {
  const userOf = (index: number): string => users[index % users.length] ?? '';
  return Array.from({ length: count }, (_, index) => report({ fault, userId: userOf(index), model })).at(-1);
}

/** The users to whom a model is closed; their calls are aborted at once, which tells nothing. */
function sparedFor(model = MODEL): string[] {
  return FOUR.filter((userId) => {
    const admitted = pass(userId, model);
    admitted?.ended('aborted');
    return admitted === undefined;
  });
}

const invent = (fault: ModelFaultKind) => {
  for (let id = 0; id < 2_000; id += 1) report({ fault, model: `openai invented-${id}` });
};

describe('a model is spared', () => {
  it.each<[when: string, spared: readonly string[], play: () => unknown]>([
    ['for all, as half of ten failed, for three', FOUR, () => [requestsOf(THREE, 6), requestsOf(THREE, 6, 'server')]],
    ['for nobody: less than half failed', [], () => [requestsOf(THREE, 6), requestsOf(THREE, 5, 'network')]],
    ['for nobody: there were only nine', [], () => requestsOf(THREE, 9, 'timeout')],
    ['for nobody: they failed for two', [], () => requestsOf(['ann', 'bob'], 19, 'server')],
    ['for its user: most failed for one', ['ann'], () => [requestsOf(THREE, 12), requestsOf(['ann'], 30, 'server')]],
    ['for its one user, after twenty in a row', ['ann'], () => requestsOf(['ann'], 20, 'server')],
    [
      'for nobody: one of the last twenty was answered',
      [],
      () => [requestsOf(['ann'], 18, 'server'), report({}), requestsOf(['ann'], 19, 'server')],
    ],
    ['until somebody else is answered', [], () => [requestsOf(['ann'], 20, 'server'), report({ userId: 'bob' })]],
    [
      'as ids are invented: nobody forgets a known model that is down',
      FOUR,
      () => [requestsOf(THREE, 10, 'server'), invent('server')],
    ],
    ...(
      [
        ...(['rate_limited', 'unauthorized', 'not_found', 'bad_request'] as const),
        ...(['context_length', 'content_filter', 'empty', 'aborted'] as const),
      ] as const
    ).map((fault): [string, string[], () => unknown] => [
      `for nobody: ${fault} says nothing of its being down`,
      [],
      () => requestsOf(THREE, 50, fault),
    ]),
  ])('%s', (_, spared, play) => {
    play();
    expect(sparedFor()).toEqual(spared);
  });

  it('each apart, with the request that made it so; refused ids take no place', () => {
    requestsOf(THREE, 9, 'server', OTHER);
    expect([sparedFor(OTHER), report({ fault: 'server', model: OTHER })]).toEqual([[], true]);
    invent('not_found');
    expect([sparedFor(OTHER), sparedFor()]).toEqual([FOUR, []]);
  });

  it('regression: a request counts once, however many of its calls fail, and as the latest of them', () => {
    const [ann = '', bob = '', cay = ''] = THREE;
    for (let call = 0; call < 100; call += 1) {
      for (const userId of [ann, bob, cay]) report({ fault: 'server', userId, requestId: `of ${userId}` });
    }
    expect(sparedFor()).toEqual([]);
    for (const userId of THREE) report({ userId, requestId: `of ${userId}` });
    requestsOf(THREE, 3, 'server');
    requestsOf(THREE, 4);
    expect(sparedFor()).toEqual([]);
  });

  it('property: not by fewer than three users, whatever becomes of their calls', () => {
    const fault = fc.constantFrom<ModelFaultKind | undefined>('server', 'timeout', 'bad_request', undefined);
    const call = fc.record({ userId: fc.constantFrom('ann', 'bob'), requestId: fc.nat(40).map(String), fault });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
        breaker = new Breaker(clock, [MODEL]);
        for (const made of calls) report(made);
        return pass('dan') !== undefined;
      }),
    );
  });

  it('not by requests more than 30 s old, but by twenty in a row, however slow', async () => {
    requestsOf(THREE, 9, 'server');
    await clock.advance(30_000);
    expect(report({ fault: 'server' })).toBe(false);
    for (let request = 0; request < 9; request += 1) {
      await clock.advance(60_000);
      expect(report({ fault: 'timeout' })).toBe(false);
    }
    expect(report({ fault: 'timeout' })).toBe(true);
  });
});

describe('a call that finds out whether a model is back', () => {
  beforeEach(() => {
    requestsOf(THREE, 10, 'server');
  });

  it('is let through after 15 s, and no other while it runs, also where the clock was set back meanwhile', async () => {
    clock.setBack(3_600_000);
    await clock.advance(14_999);
    expect(pass('ann')).toBeUndefined();
    await clock.advance(1);
    expect([pass('ann')?.isProbe, pass('bob')]).toEqual([true, undefined]);
  });

  it('is never one of a user whose own calls have not failed', async () => {
    await clock.advance(59_999);
    expect([pass('dan'), pass('ann')?.isProbe]).toEqual([undefined, true]);
  });

  it('is not waited for longer than a minute: then the model is open to everybody again', async () => {
    await clock.advance(15_000);
    pass('ann');
    await clock.advance(45_000);
    expect(['dan', 'bob'].map((userId) => pass(userId)?.isProbe)).toEqual([false, false]);
  });

  it.each<[rule: string, fault: ModelFaultKind | undefined, afterwards: readonly boolean[]]>([
    ['a good one closes it', undefined, [true, true]],
    ['one refused for what it asked closes it: the model answers', 'bad_request', [true, true]],
    ['a failed one spares it for 15 s more', 'overloaded', [false, false]],
    ['one that tells nothing leaves the next to find out', 'aborted', [true, false]],
  ])('%s', async (_, fault, afterwards) => {
    await clock.advance(15_000);
    pass('ann')?.ended(fault);
    expect([pass('ann') !== undefined, pass('bob') !== undefined]).toEqual(afterwards);
  });

  it('that answers begins the counting anew', async () => {
    await clock.advance(15_000);
    pass('ann')?.ended(undefined);
    expect([requestsOf(THREE, 9, 'server'), report({ fault: 'server' })]).toEqual([false, true]);
  });

  it('regression: one begun before the model was spared does not let a second one through', async () => {
    breaker = new Breaker(clock, [MODEL]);
    const early = pass('ann');
    requestsOf(THREE, 10, 'server');
    await clock.advance(15_000);
    expect(pass('ann')?.isProbe).toBe(true);
    early?.ended('aborted');
    expect(pass('bob')).toBeUndefined();
  });
});
