import type { RunBody } from '../setup/run-body';
import { againRequest, editedRequest, nextRequest, setUpRequest, threadOf } from './next-request';

const says = (text: string) => ({ role: 'user', content: text }) as const;
const answers = (text: string) => ({ role: 'assistant', content: text }) as const;
const SYSTEM = { role: 'system', content: 'Be brief.' } as const;
const FILE = { name: 'a.pdf', media_type: 'application/pdf', data: 'AA==' };

/** The third question of a conversation of three runs. */
const THIRD: RunBody = {
  model: 'c',
  messages: [SYSTEM, says('1'), answers('one'), says('2'), answers('two'), says('3')],
  ai_ensemble: { models: ['a', 'b'], strategy: 'expert_panel', rounds: 1, includeCandidates: true },
  thread: { id: 'r1', earlier: ['r1', 'r2'] },
};
const ASKED = { body: THIRD, runId: 'r3' };

describe('a further message', () => {
  it('has what was asked and answered before it, and the runs that said it', () => {
    expect(nextRequest(ASKED, 'three', '4')).toEqual({
      ...THIRD,
      messages: [...THIRD.messages, answers('three'), says('4')],
      thread: { id: 'r1', earlier: ['r1', 'r2', 'r3'] },
    });
  });

  it('makes the run that it follows the first of a conversation, and leaves its files behind', () => {
    const { thread: _, ...first } = { ...THIRD, messages: [says('1')], attachments: [FILE] };
    const next = nextRequest({ body: first, runId: 'r1' }, 'one', '2');
    expect([next.thread, next.attachments]).toEqual([{ id: 'r1', earlier: ['r1'] }, undefined]);
  });

  it('names no run that no server has, as one from a file', () => {
    const { thread: _, ...body } = THIRD;
    expect(nextRequest({ body, runId: undefined }, 'three', '4').thread).toBeUndefined();
  });

  it('names the newest 200 runs of a long conversation', () => {
    const earlier = Array.from({ length: 200 }, (_, at) => `r${at}`);
    const next = nextRequest({ body: { ...THIRD, thread: { id: 'r0', earlier } }, runId: 'new' }, 'a', 'b');
    expect(next.thread?.earlier).toEqual([...earlier.slice(1), 'new']);
  });
});

describe('an earlier message in other words', () => {
  it.each([
    ['the first', 1, [SYSTEM, says('new')], []],
    ['an answer, with the question after it', 2, [SYSTEM, says('1'), answers('new'), says('2')], ['r1']],
    ['the second', 3, [SYSTEM, says('1'), answers('one'), says('new')], ['r1']],
    ['the newest', 5, [...THIRD.messages.slice(0, 5), says('new')], ['r1', 'r2']],
  ])('%s: what came after it is gone', (_, at, messages, earlier) => {
    expect(editedRequest(ASKED, at, 'new')).toEqual({ ...THIRD, messages, thread: { id: 'r1', earlier } });
  });

  it('keeps the files of the newest message alone', () => {
    const asked = { body: { ...THIRD, attachments: [FILE] }, runId: 'r3' };
    expect(editedRequest(asked, 4, 'new').attachments).toEqual([FILE]);
    expect(editedRequest(asked, 3, 'new').attachments).toBeUndefined();
  });

  it('keeps the order of runs where the first messages are of none', () => {
    const body = { ...THIRD, thread: { id: 'r2', earlier: ['r2'] } };
    expect(editedRequest({ body, runId: 'r3' }, 3, 'new').thread).toEqual({ id: 'r2', earlier: [] });
    expect(editedRequest({ body, runId: 'r3' }, 1, 'new').thread).toEqual({ id: 'r2', earlier: [] });
  });
});

describe('the same question again', () => {
  it('has another strategy, in the same place and with the same files', () => {
    const asked = { body: { ...THIRD, attachments: [FILE] }, runId: 'r3' };
    const { attachments, thread, messages, ai_ensemble: ensemble } = againRequest(asked, { strategy: 'hierarchical' });
    expect({ attachments, thread, messages }).toEqual({
      attachments: [FILE],
      thread: THIRD.thread,
      messages: THIRD.messages,
    });
    expect(ensemble).toMatchObject({ strategy: 'hierarchical', models: ['a', 'b'] });
  });

  it('asks one model alone, without a panel', () => {
    const { model, ai_ensemble: ensemble } = againRequest(ASKED, { strategy: 'single', arbiter: 'b' });
    expect([model, ensemble]).toEqual(['b', { includeCandidates: true }]);
  });

  it.each([
    ['is a version of it', THIRD.messages, { id: 'r1', earlier: ['r1', 'r2'] }],
    ['with another history is no part of the conversation', [says('9'), answers('nine'), says('3')], undefined],
  ])('set up in the form %s', (_, messages, thread) => {
    const { thread: _own, ...body } = { ...THIRD, messages };
    expect(setUpRequest(ASKED, body).thread).toEqual(thread);
  });
});

it('a run of none is the first of its own conversation', () => {
  const { thread: _, ...body } = THIRD;
  expect(threadOf({ body, runId: 'r9' })).toEqual({ id: 'r9', earlier: [] });
});
