import { recorded } from '../../test/support/recorded-run';
import { applyEvents } from '../run/apply-event';
import { NO_RUN } from '../run/run-state';
import { runMarkdown } from './run-markdown';

it('a run as Markdown holds the prompt, every draft, the answer and why, and what each call cost', () => {
  const text = runMarkdown(applyEvents(NO_RUN, recorded()), 'Is a tomato\na fruit?');
  expect(text).toBe(`# Is a tomato a fruit?

Competitive refinement, 2025-10-09T08:53:20.000Z

## Prompt

Is a tomato
a fruit?

## Drafts

### Ada: Draft, round 1

A tomato is a fruit.

### Blaise: Draft, round 1

It is a vegetable.

### Curie: Draft, round 1

Nothing: not found.

### Ada: Revision, round 2

A tomato is a berry.

### Blaise: Revision, round 2

Nothing: too slow.

## Answer

It is **a berry**.

## Why

Ada is right.

## Cost

| Model | Step | Tokens read | Tokens written | Cost |
|:--|:--|--:|--:|--:|
| Ada | Draft, round 1 | 10 | 5 | $0.0000100 |
| Blaise | Draft, round 1 | 20 | 4 | $0.00000800 |
| Curie | Draft, round 1 | 10 | 0 | $0.00 |
| Ada | Revision, round 2 | 10 | 6 | $0.0000120 |
| Blaise | Revision, round 2 | 10 | 1 | $0.00000200 |
| Ada | Answer | 10 | 7 | $0.0000140 |
| All |  | 50 | 23 | $0.0000460 |
`);
});

it('never says of a call that is not priced that it cost nothing', () => {
  const events = recorded().map((event) => {
    if (event.type === 'end') return { ...event, unpricedModels: ['ada'] };
    return 'spend' in event && event.spend ? { ...event, spend: { ...event.spend, priced: false } } : event;
  });
  const text = runMarkdown(applyEvents(NO_RUN, events), 'Is a tomato a fruit?');
  expect(text).toContain('| Ada | Draft, round 1 | 10 | 5 | not priced |');
  expect(text).toMatch(/\| All \| {2}\| 50 \| 23 \| \$[\d.]+, some not priced \|/);
});
