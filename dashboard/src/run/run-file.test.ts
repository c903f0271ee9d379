import type { RecordedRun, RunEvent, RunRequest } from './run-events';
import { readRunFile, runFileText } from './run-file';

const RUN = {
  prompt: 'Hi\u2028<script>',
  request: { model: 'a', messages: [], ai_ensemble: {} } as unknown as RunRequest,
  events: [{ type: 'answer', text: 'Yes', seq: 0, atMs: 5 } as RunEvent],
  evaluations: [],
} satisfies RecordedRun;

describe('a run as a file', () => {
  it('is read as it was written', () => {
    expect(readRunFile(runFileText(RUN))).toEqual(RUN);
  });

  it('of a program, whose request the page did not make, is read without it', () => {
    const { request: _, ...run } = RUN;
    expect(readRunFile(runFileText(run))).toEqual(run);
  });

  it('has its rating as far as it is one, and no place in a conversation of the account that saved it', () => {
    const rating = { answer: 'great', better: 7, words: 'x'.repeat(300) };
    const request = { ...RUN.request, thread: { id: 'a', earlier: 'b' } };
    const read = readRunFile(runFileText({ ...RUN, request, rating } as never));
    expect(read).toEqual({ ...RUN, rating: { words: 'x'.repeat(200) } });
  });

  it.each([
    [
      '{"format":"ensemble-run","version":1,"prompt":"a","request":{"messages":[null],"ai_ensemble":{}},"events":[]}',
      /damaged/,
    ],
    ['', /no run/],
    ['[]', /no run/],
    ['null', /no run/],
    ['{"format":"other"}', /no run/],
    ['{"format":"ensemble-run","version":2}', /newer version/],
    ['{"format":"ensemble-run","version":1,"events":[]}', /damaged/],
    ['{"format":"ensemble-run","version":1,"prompt":"a","request":{},"events":[]}', /damaged/],
    [
      '{"format":"ensemble-run","version":1,"prompt":"a","request":{"messages":[],"ai_ensemble":{}},"events":[{"seq":1}]}',
      /damaged/,
    ],
    [
      '{"format":"ensemble-run","version":1,"prompt":"a","request":{"messages":[],"ai_ensemble":{}},"events":{}}',
      /damaged/,
    ],
  ])('is refused with a word: %s', (text, words) => {
    expect(readRunFile(text)).toMatch(words);
  });
});
