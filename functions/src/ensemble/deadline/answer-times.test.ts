import { AnswerTimes } from './answer-times';

/** A record in which these users have seen model `m` take these times. */
function recordOf(seen: Readonly<Record<string, readonly number[]>>): AnswerTimes {
  const times = new AnswerTimes(['m']);
  for (const [userId, durationsMs] of Object.entries(seen)) {
    for (const durationMs of durationsMs) times.of(userId).note('m', durationMs, 0);
  }
  return times;
}

/** 95th percentile of the model for `alice` after these answers of her own. */
function ownP95(...durationsMs: number[]): number | undefined {
  return recordOf({ alice: durationsMs }).of('alice').p95Ms('m');
}

describe('AnswerTimes', () => {
  it('forgets all but the latest 32', () => {
    expect(ownP95(999_999, ...Array<number>(31).fill(5))).toBe(5);
    expect(ownP95(...Array<number>(4).fill(999), ...Array<number>(32).fill(5))).toBe(5);
    // 32 samples: the 31st is the percentile, so two slow ones among them show.
    expect(ownP95(999, 999, ...Array<number>(30).fill(5))).toBe(999);
    expect(ownP95(999, 999, ...Array<number>(31).fill(5))).toBe(5);
  });

  it('keeps models apart', () => {
    const alice = recordOf({ alice: [1, 2, 3] }).of('alice');
    for (const durationMs of [70, 80, 90]) alice.note('other', durationMs, 0);
    expect(alice.p95Ms('m')).toBe(3);
    expect(alice.p95Ms('other')).toBe(90);
  });

  it('a user’s own experience goes before that of all others', () => {
    const slow = [900, 900, 900];
    expect(
      recordOf({ alice: [1, 2, 3], b: slow, c: slow, d: slow })
        .of('alice')
        .p95Ms('m'),
    ).toBe(3);
  });

  it.each([
    { seen: 'nobody', others: [], p95: undefined },
    { seen: 'one', others: [500_000], p95: undefined },
    { seen: 'two', others: [500_000, 500_000], p95: undefined },
    { seen: 'three', others: [10, 20, 500_000], p95: 20 },
    { seen: 'four', others: [10, 20, 30, 500_000], p95: 20 },
    {
      seen: 'sixteen, of whom the first is forgotten',
      others: [1, ...Array<number>(7).fill(2), ...Array<number>(8).fill(3)],
      p95: 3,
    },
  ])('who has seen too little is told the middle of what others have: $seen', ({ others, p95 }) => {
    const seen = Object.fromEntries(others.map((paceMs, index) => [`user ${index}`, [paceMs, paceMs, paceMs]]));
    expect(
      recordOf({ ...seen, alice: [7, 7] })
        .of('alice')
        .p95Ms('m'),
    ).toBe(p95);
  });

  it('one user cannot make another wait, however often it waits itself', () => {
    const times = recordOf({ b: [10, 10, 10], c: [20, 20, 20], mallory: Array<number>(1_000).fill(500_000) });
    expect(times.of('newcomer').p95Ms('m')).toBe(20);
  });

  it('a user that comes back is one witness, with what it saw last', () => {
    const times = recordOf({ b: [10, 10, 10], c: [20, 20, 20], d: [30, 30, 30] });
    for (let answers = 0; answers < 32; answers += 1) times.of('b').note('m', 40, 0);
    expect(times.of('newcomer').p95Ms('m')).toBe(30);
  });

  it('made-up ids push nothing of another user out, and nothing that the deployment knows', () => {
    const times = recordOf({ alice: [1, 2, 3], b: [4, 4, 4], c: [5, 5, 5] });
    for (let index = 0; index < 5_000; index += 1) {
      for (let answers = 0; answers < 3; answers += 1) times.of('mallory').note(`made-up ${index}`, 1, 0);
    }
    expect(times.of('alice').p95Ms('m')).toBe(3);
    expect(times.of('newcomer').p95Ms('m')).toBe(4);
  });

  it('what is known of an id that no deployment knows is for its caller alone', () => {
    const times = new AnswerTimes(['m']);
    for (const userId of ['a', 'b', 'c']) for (const ms of [5, 5, 5]) times.of(userId).note('own/model', ms, 0);
    expect(times.of('a').p95Ms('own/model')).toBe(5);
    expect(times.of('newcomer').p95Ms('own/model')).toBeUndefined();
  });

  it('forgets the model that its user asked longest ago when 33 are known', () => {
    const alice = recordOf({ alice: [1, 2, 3] }).of('alice');
    for (let index = 0; index < 31; index += 1) alice.note(`m${index}`, 1, 0);
    expect(alice.p95Ms('m')).toBe(3);
    for (let index = 0; index < 32; index += 1) alice.note(`n${index}`, 1, 0);
    expect(alice.p95Ms('m')).toBeUndefined();
  });

  it('forgets the user who asked longest ago when 501 are known', () => {
    const times = recordOf({ alice: [1, 2, 3] });
    for (let index = 0; index < 499; index += 1) times.of(`u${index}`).note('x', 1, 0);
    expect(times.of('alice').p95Ms('m')).toBe(3);
    for (let index = 0; index < 500; index += 1) times.of(`v${index}`).note('x', 1, 0);
    expect(times.of('alice').p95Ms('m')).toBeUndefined();
  });
});

describe('the lengths of answers', () => {
  it('are known from the third on, to their user alone', () => {
    const times = new AnswerTimes(['m']);
    const [alice, ...others] = ['alice', 'b', 'c', 'd'].map((userId) => times.of(userId));
    alice?.note('m', 1, 900);
    alice?.note('m', 1, 100);
    expect(alice?.p95Tokens('m')).toBeUndefined();
    alice?.note('m', 1, 500);
    expect(alice?.p95Tokens('m')).toBe(900);
    for (const other of others) for (let text = 0; text < 3; text += 1) other.note('m', 1, 20_000);
    expect(alice?.p95Tokens('m')).toBe(900);
    expect(times.of('newcomer').p95Tokens('m')).toBeUndefined();
  });
});
