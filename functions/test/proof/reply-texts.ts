import type { CallPurpose } from '../../src/models/model';

const PROSE = 'A tomato is a berry, and so a fruit. Cooks call it a vegetable.';
const CHAIN = 'STEP 1: It has seeds.\nSTEP 2: So it is a fruit.\nANSWER: a fruit';

const json = (value: unknown): string => JSON.stringify(value);
const item = (n: number): object => ({ title: `Part ${n}`, task: `Say part ${n}.` });

/**
 * Replies of models in each part: the one asked for, with and without the signal to stop early, and what was not.
 * Every text has something to read.
 */
const TEXTS: Readonly<Record<CallPurpose, readonly string[]>> = {
  cast: [json({ lenses: [{ name: 'Botanist', focus: 'Seeds.' }, { name: 'Cook' }] }), PROSE, '{"lenses":[]}'],
  plan: [
    json({ items: [item(1)], checks: ['It names the seeds.'] }),
    json({ items: [item(1), item(2), item(3), item(4), item(5)] }),
    PROSE,
    '{"items":[]}',
  ],
  draft: [PROSE, CHAIN, CHAIN.replace('a fruit', 'a vegetable'), 'A fruit.', `${PROSE}\n`.repeat(20)],
  revise: [
    `${PROSE} Or so.`,
    `${PROSE}\nREVISION: kept BALLOT: B > A`,
    `${PROSE} Really.\nREVISION: changed BALLOT: A`,
    'REVISION: kept',
    `${PROSE}\nDISSENT: none`,
    `${PROSE}\nSTANCE: concedes`,
    `${PROSE}\nSTANCE: holds`,
    `${CHAIN}\nCHECK: verified`,
    `${CHAIN}\nCHECK: step 2: wrong`,
    `${PROSE}\nRESPONSES\n1. Rebutted.`,
  ],
  review: [
    json({ verdict: 'approve', defects: [] }),
    json({ verdict: 'revise', defects: [{ item: 1, severity: 'major', defect: 'No seeds.' }] }),
    json({ verdict: 'revise', defects: [{ item: 'plan', severity: 'major', defect: 'No plan.' }] }),
    json({ verdict: 'revise', defects: [{ item: 'all', severity: 'minor', defect: 'Dull.' }] }),
    PROSE,
    'Approved.',
  ],
  attack: [
    json({ findings: [] }),
    json({ findings: [{ target: 'A', severity: 'critical', why: 'Wrong.' }] }),
    json({ findings: [{ severity: 'minor', why: 'Dull.' }] }),
    'I cannot help with that.',
    PROSE,
  ],
  analyse: [json({ winner: 'A', order: ['A', 'B'], rationale: 'A is right.' }), PROSE, '{}'],
  judge: [PROSE],
  answer: [PROSE, 'Yes.', `${PROSE}\n\n`.repeat(10)],
  follow_ups: [json(['Which berries are sweet?', 'Is a cucumber one?', 'Who decides?']), PROSE, '[]'],
};

/** One of the texts for a purpose; any number names one. */
export function replyText(purpose: CallPurpose, number: number): string {
  const texts = TEXTS[purpose];
  return texts[number % texts.length] ?? PROSE;
}
