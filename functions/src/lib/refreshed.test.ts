import { type FakeClock, fakeClock } from '../../test/support/fake-clock';
import { refreshed } from './refreshed';

let clock: FakeClock;
let readings: PromiseWithResolvers<string>[];
beforeEach(() => {
  clock = fakeClock();
  readings = [];
});

const reader = (times = { freshMs: 30_000, retryMs: 10_000 }) => {
  const read = (): Promise<string> => {
    const reading = Promise.withResolvers<string>();
    readings.push(reading);
    return reading.promise;
  };
  return refreshed(read, times, clock);
};

it('is read once for all who ask at a time, and anew when it is no longer fresh', async () => {
  const get = reader();
  const asked = [get(), get(), get()];
  readings[0]?.resolve('first');
  const readAtMs = clock.nowMs();
  expect(await Promise.all(asked)).toEqual(Array(3).fill({ value: 'first', readAtMs }));
  await clock.advance(29_999);
  expect(await get()).toEqual({ value: 'first', readAtMs });
  await clock.advance(1);
  const later = get();
  readings[1]?.resolve('second');
  expect(await later).toEqual({ value: 'second', readAtMs: readAtMs + 30_000 });
  expect(readings).toHaveLength(2);
});

it('is the last value while a reading fails, which is not tried again at once', async () => {
  const get = reader();
  const first = get();
  readings[0]?.resolve('kept');
  const readAtMs = clock.nowMs();
  await first;
  await clock.advance(30_000);
  const failing = get();
  const error = new Error('down');
  readings[1]?.reject(error);
  expect(await failing).toEqual({ value: 'kept', readAtMs, error });
  await clock.advance(9_999);
  expect(await get()).toEqual({ value: 'kept', readAtMs, error });
  expect(readings).toHaveLength(2);
  await clock.advance(1);
  const back = get();
  readings[2]?.resolve('back');
  expect(await back).toEqual({ value: 'back', readAtMs: clock.nowMs() });
});

it('is nothing but the failure where it was never read', async () => {
  const get = reader({ freshMs: 1, retryMs: 0 });
  const first = get();
  readings[0]?.reject('why');
  expect(await first).toEqual({ error: 'why' });
  const next = get();
  readings[1]?.resolve('there');
  expect(await next).toMatchObject({ value: 'there' });
});
