import { createCatalog } from '../../models/catalog';
import { AnswerTimes } from './answer-times';

const { modelOf } = createCatalog();

function timesOf(...durationsMs: number[]): AnswerTimes {
  const times = new AnswerTimes();
  for (const durationMs of durationsMs) times.note('m', durationMs);
  return times;
}

describe('AnswerTimes', () => {
  it('says nothing of a model before its third answer', () => {
    expect(new AnswerTimes().p95Ms('m')).toBeUndefined();
    expect(timesOf(10, 20).p95Ms('m')).toBeUndefined();
    expect(timesOf(10, 20, 30).p95Ms('m')).toBe(30);
  });

  it('gives the 95th percentile whatever the order', () => {
    // Of 1 to 20, 95 % are at most 19.
    const oneToTwenty = Array.from({ length: 20 }, (_, index) => ((index * 7) % 20) + 1);
    expect(timesOf(...oneToTwenty).p95Ms('m')).toBe(19);
  });

  it('compares durations as numbers, not as words', () => expect(timesOf(9, 10, 100).p95Ms('m')).toBe(100));

  it('forgets all but the latest 32', () => {
    expect(timesOf(999_999, ...Array<number>(31).fill(5)).p95Ms('m')).toBe(5);
    expect(timesOf(...Array<number>(4).fill(999), ...Array<number>(32).fill(5)).p95Ms('m')).toBe(5);
    // 32 samples: the 31st is the percentile, so two slow ones among them show.
    expect(timesOf(999, 999, ...Array<number>(30).fill(5)).p95Ms('m')).toBe(999);
    expect(timesOf(999, 999, ...Array<number>(31).fill(5)).p95Ms('m')).toBe(5);
  });

  it.each([
    { model: 'o3', took: [], patienceMs: 300_000 },
    { model: 'o3', took: [20_000, 30_000, 40_000], patienceMs: 80_000 },
    { model: 'o3', took: [200_000, 200_000, 200_000], patienceMs: 300_000 },
    { model: 'gpt-4o', took: [], patienceMs: 0 },
    { model: 'gpt-4o', took: [20_000, 30_000, 40_000], patienceMs: 0 },
  ])('waits $patienceMs ms for $model after $took', ({ model, took, patienceMs }) => {
    const times = new AnswerTimes();
    for (const durationMs of took) times.note(model, durationMs);
    expect(times.patienceMs(modelOf(model))).toBe(patienceMs);
  });

  it('keeps models apart', () => {
    const times = timesOf(1, 2, 3);
    for (const durationMs of [70, 80, 90]) times.note('other', durationMs);
    expect(times.p95Ms('m')).toBe(3);
    expect(times.p95Ms('other')).toBe(90);
  });

  it('forgets the model used longest ago when 501 are known', () => {
    const times = timesOf(1, 2, 3);
    for (let index = 0; index < 499; index += 1) times.note(`m${index}`, 1);
    expect(times.p95Ms('m')).toBe(3);
    for (let index = 0; index < 500; index += 1) times.note(`n${index}`, 1);
    expect(times.p95Ms('m')).toBeUndefined();
  });
});
