import { type FakeClock, fakeClock } from '../../../test/support/fake-clock';
import fc from '../../../test/support/properties';
import type { ModelFaultKind } from '../model-fault';
import { Breaker } from './breaker';

const MODEL = 'openai gpt-x';
const THREE_USERS = ['ann', 'bob', 'cay'];

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

/** A call that began when the model was open and ends so; whether that spares the model. Undefined when it was spared. */
function report({ fault, userId = 'ann', requestId = `q${requests++}`, model = MODEL }: Report): boolean | undefined {
  return breaker.admit({ model, userId, requestId })?.ended(fault);
}

/** So many requests that end so, the users by turns; whether the last one spared the model. */
function requestsOf(users: readonly string[], count: number, fault?: ModelFaultKind): boolean | undefined {
  return Array.from({ length: count }, (_, index) => report({ fault, userId: users[index % users.length] ?? '' })).at(
    -1,
  );
}

/** True if a call of the user may be made; it is aborted at once, which tells nothing. */
function isOpenTo(userId: string, model = MODEL): boolean {
  const pass = breaker.admit({ model, userId, requestId: `q${requests++}` });
  pass?.ended('aborted');
  return pass !== undefined;
}

describe('a model is spared for everybody', () => {
  it('with the tenth request when half of them failed, those of three users among them', () => {
    requestsOf(THREE_USERS, 6);
    expect(requestsOf(THREE_USERS, 5, 'overloaded')).toBe(false);
    expect(report({ fault: 'server', userId: 'cay' })).toBe(true);
    expect(['ann', 'dan'].map((userId) => isOpenTo(userId))).toEqual([false, false]);
  });

  it.each([
    ['less than half failed', () => [requestsOf(THREE_USERS, 6), requestsOf(THREE_USERS, 5, 'network')]],
    ['there were only nine', () => [requestsOf(THREE_USERS, 9, 'timeout')]],
    ['they failed for two users', () => [requestsOf(['ann', 'bob'], 19, 'server')]],
    ['most failures are of one user', () => [requestsOf(THREE_USERS, 12), requestsOf(['ann'], 30, 'server')]],
  ])('not while %s', (_, make) => {
    make();
    expect(isOpenTo('dan')).toBe(true);
  });

  it('regression: a request counts once, however many of its calls fail, and as the latest of them', () => {
    for (let call = 0; call < 100; call += 1) {
      report({ fault: 'server', userId: THREE_USERS[call % 3] ?? '', requestId: `of ${THREE_USERS[call % 3]}` });
    }
    expect(isOpenTo('dan')).toBe(true);
    for (const userId of THREE_USERS) report({ userId, requestId: `of ${userId}` });
    requestsOf(THREE_USERS, 3, 'server');
    requestsOf(THREE_USERS, 4);
    expect(isOpenTo('dan')).toBe(true);
  });

  it('property: not by fewer than three users, whatever becomes of their calls', () => {
    const fault = fc.constantFrom<ModelFaultKind | undefined>(
      'server',
      'timeout',
      'overloaded',
      'bad_request',
      undefined,
    );
    const call = fc.record({ userId: fc.constantFrom('ann', 'bob'), requestId: fc.nat(40).map(String), fault });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 200 }), (calls) => {
        breaker = new Breaker(clock, [MODEL]);
        for (const made of calls) report(made);
        return isOpenTo('dan');
      }),
    );
  });

  it('not by requests more than 30 s old', async () => {
    requestsOf(THREE_USERS, 9, 'server');
    await clock.advance(30_000);
    requestsOf(THREE_USERS, 1, 'server');
    expect(isOpenTo('dan')).toBe(true);
  });

  it.each([
    'rate_limited',
    'unauthorized',
    'not_found',
    'bad_request',
    'context_length',
    'content_filter',
    'empty',
    'aborted',
  ] as const)('not by %s, which says nothing of the model being down', (fault) => {
    requestsOf(THREE_USERS, 50, fault);
    expect(isOpenTo('ann')).toBe(true);
  });

  it('each model apart', () => {
    requestsOf(THREE_USERS, 10, 'server');
    expect([isOpenTo('ann'), isOpenTo('ann', 'openai gpt-y')]).toEqual([false, true]);
  });
});

describe('a model that few ask is spared', () => {
  it('for its one user when the last twenty requests failed, however slowly, and for nobody else', async () => {
    for (let request = 1; request < 20; request += 1) {
      expect(report({ fault: 'timeout' })).toBe(false);
      await clock.advance(60_000);
    }
    expect(report({ fault: 'timeout' })).toBe(true);
    expect([isOpenTo('ann'), isOpenTo('bob')]).toEqual([false, true]);
  });

  it('for nobody while one of the last twenty was answered', () => {
    report({});
    requestsOf(['ann'], 18, 'server');
    report({});
    requestsOf(['ann'], 19, 'server');
    expect(isOpenTo('ann')).toBe(true);
  });

  it('until somebody else is answered', () => {
    requestsOf(['ann'], 20, 'server');
    report({ userId: 'bob' });
    expect(isOpenTo('ann')).toBe(true);
  });
});

describe('a call that finds out whether a model is back', () => {
  beforeEach(() => {
    requestsOf(THREE_USERS, 10, 'server');
  });

  function probe(userId: string) {
    return breaker.admit({ model: MODEL, userId, requestId: `q${requests++}` });
  }

  it('is let through after 15 s, and no other while it runs, also where the clock was set back meanwhile', async () => {
    clock.setBack(3_600_000);
    await clock.advance(14_999);
    expect(probe('ann')).toBeUndefined();
    await clock.advance(1);
    expect([probe('ann')?.isProbe, probe('bob')]).toEqual([true, undefined]);
  });

  it('is never one of a user whose own calls have not failed', async () => {
    await clock.advance(59_999);
    expect([probe('dan'), probe('ann')?.isProbe]).toEqual([undefined, true]);
  });

  it('is not waited for longer than a minute: then the model is open to everybody again', async () => {
    await clock.advance(15_000);
    probe('ann');
    await clock.advance(45_000);
    expect(['dan', 'bob'].map((userId) => probe(userId)?.isProbe)).toEqual([false, false]);
  });

  it.each([
    { rule: 'a good one closes it', fault: undefined, afterwards: [true, true] },
    {
      rule: 'one refused for what it asked closes it: the model answers',
      fault: 'bad_request' as const,
      afterwards: [true, true],
    },
    { rule: 'a failed one spares it for 15 s more', fault: 'overloaded' as const, afterwards: [false, false] },
    {
      rule: 'one that tells nothing leaves the next to find out',
      fault: 'aborted' as const,
      afterwards: [true, false],
    },
  ])('$rule', async ({ fault, afterwards }) => {
    await clock.advance(15_000);
    probe('ann')?.ended(fault);
    expect([probe('ann') !== undefined, probe('bob') !== undefined]).toEqual(afterwards);
  });

  it('that answers begins the counting anew', async () => {
    await clock.advance(15_000);
    probe('ann')?.ended(undefined);
    expect(requestsOf(THREE_USERS, 9, 'server')).toBe(false);
    expect(report({ fault: 'server' })).toBe(true);
  });

  it('regression: one begun before the model was spared does not let a second one through', async () => {
    breaker = new Breaker(clock, [MODEL]);
    const early = probe('ann');
    requestsOf(THREE_USERS, 10, 'server');
    await clock.advance(15_000);
    expect(probe('ann')?.isProbe).toBe(true);
    early?.ended('aborted');
    expect(probe('bob')).toBeUndefined();
  });
});

describe('invented ids', () => {
  const invent = (count: number): void => {
    for (let id = 0; id < count; id += 1) report({ fault: 'server', model: `openai invented-${id}` });
  };

  it('regression: make nobody forget a known model that is down', () => {
    requestsOf(THREE_USERS, 10, 'server');
    invent(2_000);
    expect(isOpenTo('ann')).toBe(false);
  });

  it('that a provider refuses take no place at all', () => {
    const passing = 'openai not-in-the-catalog';
    for (let request = 0; request < 10; request += 1) {
      report({ fault: 'server', model: passing, userId: THREE_USERS[request % 3] ?? '' });
    }
    for (let id = 0; id < 2_000; id += 1) report({ fault: 'not_found', model: `openai invented-${id}` });
    expect(isOpenTo('ann', passing)).toBe(false);
  });
});
