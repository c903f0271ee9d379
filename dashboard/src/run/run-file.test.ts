import type { RecordedRun, RunEvent } from './run-events';
import { readRunFile, runFileText } from './run-file';

const RUN = {
  request: { model: 'a', messages: [{ role: 'user', content: 'Hi\u2028<script>' }], ai_ensemble: {} },
  events: [{ type: 'answer', text: 'Yes', seq: 0, atMs: 5 } as RunEvent],
  evaluations: [],
} satisfies RecordedRun;

describe('a run as a file', () => {
  it('is read as it was written', () => {
    expect(readRunFile(runFileText(RUN))).toEqual(RUN);
  });

  it.each([
    ['', /no run/],
    ['[]', /no run/],
    ['null', /no run/],
    ['{"format":"other"}', /no run/],
    ['{"format":"ensemble-run","version":2}', /newer version/],
    ['{"format":"ensemble-run","version":1,"request":{},"events":[]}', /damaged/],
    [
      '{"format":"ensemble-run","version":1,"request":{"messages":[],"ai_ensemble":{}},"events":[{"seq":1}]}',
      /damaged/,
    ],
    ['{"format":"ensemble-run","version":1,"request":{"messages":[],"ai_ensemble":{}},"events":{}}', /damaged/],
  ])('is refused with a word: %s', (text, words) => {
    expect(readRunFile(text)).toMatch(words);
  });
});
