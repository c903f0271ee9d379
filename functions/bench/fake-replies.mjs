const DRAFT_MIN_CHARACTERS = 2_000;
const DRAFT_SPREAD_CHARACTERS = 2_000;

/** Prose with the quotes and dashes models write: text that is not ASCII takes the longer ways. */
const PROSE = Array.from(
  { length: 80 },
  (_, index) =>
    `Point ${index} – “as far as it’s known” – holds for every case but ${index % 7}, and says what it rests on. `,
).join('');

/** One JSON object that answers whatever a prompt asks for: points of view, a plan for many, a review, a verdict. */
const STRUCTURED = JSON.stringify({
  lenses: ['Builder', 'Doubter', 'Reader', 'Payer'].map((name) => ({ name, focus: `What a ${name} sees.` })),
  items: Array.from({ length: 14 }, (_, index) => ({ title: `Part ${index}`, task: `Answer part ${index}.` })),
  checks: ['It is complete.'],
  verdict: 'revise',
  defects: [{ item: 'all', severity: 'major', defect: 'A number is missing.' }],
  winner: 'A',
  rationale: 'A says what it rests on.',
});

/**
 * What a fake model says to a prompt in its `number`th reply: JSON where it is asked for, else a draft. No reply
 * keeps, approves or concedes, so that every strategy plays all its rounds; judges agree. Attacks are prose, one serious
 * finding each: graded findings that do not get fewer would end the run.
 */
export function replyTo(prompt, number) {
  const shape = /Reply with one JSON object.*$/s.exec(prompt)?.[0];
  if (shape?.includes('"items":[{"label"')) return verdictIn(shape);
  return shape === undefined || shape.includes('"findings"') ? draftOf(number) : STRUCTURED;
}

/** A judge's verdict in the form asked for: one item for each label, 7 for each criterion. */
function verdictIn(shape) {
  const labels = /one item for each of ([A-Z, ]+):$/m.exec(shape)[1].split(', ');
  const scores = Object.fromEntries(Array.from(shape.matchAll(/"(\w+)":<0-10>/g), ([, key]) => [key, 7]));
  const items = labels.map((label) => ({ label, reasoning: 'It says what it rests on.', change: '', ...scores }));
  return JSON.stringify({ expected: 'An answer that says what it rests on.', items });
}

/** The number of the call that a draft answers: how many replies there have been. */
export function numberOf(draft) {
  return Number(/^Draft (\d+): /.exec(draft)?.[1]);
}

/** 2,000 to 4,000 characters of prose, no two the same. */
function draftOf(number) {
  const start = (number * 37) % 1_000;
  const length = DRAFT_MIN_CHARACTERS + ((number * 641) % DRAFT_SPREAD_CHARACTERS);
  return `Draft ${number}: ${PROSE.slice(start, start + length)}`;
}
