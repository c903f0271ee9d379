import { fakeClock } from '../../test/support/fake-clock';
import { RequestBucket } from './request-bucket';

/** The bucket of a process; `take` takes so many requests out of a user's, `wait` is the `Retry-After` of the next. */
function setup() {
  const clock = fakeClock();
  const bucket = new RequestBucket(clock);
  const take = (count: number, userId = 'ada') => {
    for (let taken = 0; taken < count; taken += 1) bucket.take(userId);
  };
  const wait = (userId = 'ada') => bucket.refusal(userId)?.headers?.['retry-after'];
  return { clock, bucket, take, wait };
}

describe('the bucket of a user', () => {
  it('holds 120 requests, and is refused the next with a 429 that says how long to wait', () => {
    const { bucket, take } = setup();
    take(119);
    expect(bucket.refusal('ada')).toBeUndefined();
    take(1);
    expect(bucket.refusal('ada')).toMatchObject({
      code: 'rate_limited',
      text: 'Rate limit exceeded',
      headers: { 'retry-after': '1' },
    });
  });

  it('gets one back every half second, also where the clock was set back meanwhile', async () => {
    const { clock, take, wait } = setup();
    take(120);
    clock.setBack(3_600_000);
    await clock.advance(499);
    expect(wait()).toBe('1');
    await clock.advance(1);
    expect(wait()).toBeUndefined();
    take(1);
    expect(wait()).toBe('1');
  });

  it('owes what was taken beyond it by requests that came together, for a minute at most', () => {
    const { take, wait } = setup();
    take(129);
    // Ten have to come back.
    expect(wait()).toBe('5');
    take(1);
    expect(wait()).toBe('6');
    take(200);
    expect(wait()).toBe('60');
  });

  it('is full again after a minute, and never more than full', async () => {
    const { clock, take, wait } = setup();
    take(120);
    await clock.advance(600_000);
    take(119);
    expect(wait()).toBeUndefined();
    take(1);
    expect(wait()).toBe('1');
  });

  it('is empty for nobody else', () => {
    const { take, wait } = setup();
    take(120);
    expect([wait('ada'), wait('bob')]).toEqual(['1', undefined]);
  });
});
