import type { RunSummary } from '../../../run/run-summary';
import type { RunBody } from '../setup/run-body';
import { turnsBefore, versionsOf } from './turns';

const run = (id: string, after?: string, thread = 'r1') => ({ id, thread, after }) as RunSummary;
const RUNS = [run('r1'), run('r2', 'r1'), run('r1b'), run('x', undefined, 'x'), run('r3', 'r2'), run('r2b', 'r1')];

const BODY: RunBody = {
  model: 'a',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '1' },
    { role: 'assistant', content: 'one' },
    { role: 'user', content: '2' },
    { role: 'user', content: '3' },
    { role: 'assistant', content: 'three' },
    { role: 'user', content: '4' },
  ],
  ai_ensemble: {},
  thread: { id: 'r1', earlier: ['gone', 'r2', 'r3'] },
};

it('a conversation has a turn for each question before the newest, with its answer and its run, where it is kept', () => {
  expect(turnsBefore({ body: BODY, runId: 'r4' }, RUNS)).toEqual([
    { question: { at: 1, text: '1' }, answer: { at: 2, text: 'one' }, run: undefined },
    { question: { at: 3, text: '2' }, answer: undefined, run: RUNS[1] },
    { question: { at: 4, text: '3' }, answer: { at: 5, text: 'three' }, run: RUNS[4] },
  ]);
});

it('messages that were written into the form are of no run', () => {
  const body = { ...BODY, thread: { id: 'r3', earlier: ['r3'] } };
  const turns = turnsBefore({ body, runId: 'r4' }, RUNS);
  expect(turns.map(({ run: found }) => found?.id)).toEqual([undefined, undefined, 'r3']);
});

it('a run that begins a conversation has no turn before it', () => {
  const body = { ...BODY, messages: [{ role: 'user' as const, content: '1' }], thread: { id: 'r1' } };
  expect(turnsBefore({ body, runId: 'r1' }, RUNS)).toEqual([]);
});

it('versions of a run are those that go on from the same answer, and for a first one those of its conversation', () => {
  const ids = (one: RunSummary) => versionsOf(one, RUNS).map(({ id }) => id);
  expect([ids(run('r2', 'r1')), ids(run('r1')), ids(run('r3', 'r2'))]).toEqual([['r2', 'r2b'], ['r1', 'r1b'], ['r3']]);
});
