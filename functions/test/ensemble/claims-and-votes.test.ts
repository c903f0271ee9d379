import type { CallPurpose, ProviderCall } from '../../src/models/model';
import { askedOf, playRun, requestId, shownTo } from '../support/played-run';
import type { Script } from '../support/scripted-models';

/** Fate of a claim that one participant alone makes, of drafts that need no change, and of votes. */

const PANEL = ['ash', 'birch', 'cedar'];
const SHARED = 'A tomato is a berry.';
const KNOWN = 'Its seeds lie in the flesh.';
const INVENTED = ['Rossi (2019)', 'Meier (2021)', 'Dubois (2020)'].map((source) => `So finds ${source}, p. 12.`);

/** Our own words in a call, without the texts it shows. */
function wordsOf(call: ProviderCall): string {
  return shownTo(call).reduce((words, { text }) => words.replace(text, ''), askedOf(call));
}

/** Unites texts as it is told: everything that nothing contradicts, or only what it can confirm. */
function united(call: ProviderCall): string {
  const texts = shownTo(call).map(({ text }) => text.split('\n'));
  const claims = [...new Set(texts.flat())].filter((line) => /^[AIS]/.test(line));
  const words = wordsOf(call);
  const isToConfirm = /only one contribution makes needs your own confirmation/.test(words) && /citation/.test(words);
  if (/[Kk]eep every/.test(words) || !isToConfirm) return claims.join('\n');
  return claims.filter((claim) => claim === KNOWN || texts.every((lines) => lines.includes(claim))).join('\n');
}

const CONTRIBUTORS: Script = (call) => {
  if (call.purpose === 'analyse') return { text: '{"rationale": "They agree."}' };
  if (call.purpose !== 'draft') return { text: united(call) };
  const seat = PANEL.indexOf(call.providerModel);
  return { text: [SHARED, ...(seat === 0 ? [KNOWN] : []), INVENTED[seat]].join('\n') };
};

describe('collaborative synthesis', () => {
  it.each([1, 2])('regression: of three invented citations none is kept, after %i rounds', async (rounds) => {
    const id = requestId('citations');
    const run = await playRun({
      ...{ id, strategy: 'collaborative_synthesis', models: PANEL, rounds, explain: false },
      script: CONTRIBUTORS,
    });
    expect(run.answer.split('\n').toSorted()).toEqual([SHARED, KNOWN].toSorted());
  });
});

describe('competitive refinement', () => {
  /** Words of calls for revisions and answers among models that rank the others whether asked to or not. */
  async function voted(models: readonly string[]) {
    const { calls } = await playRun({
      ...{ id: requestId('settled'), strategy: 'competitive_refinement', models, rounds: 2 },
      script: (call) => {
        if (call.purpose !== 'revise') return { text: `The draft of ${call.providerModel}.` };
        const labels = shownTo(call).flatMap(({ title }) => (title === 'yours' ? [] : [title]));
        return { text: `REVISION: kept; BALLOT: ${labels.join(' > ')}` };
      },
    });
    const wordsFor = (purpose: CallPurpose) =>
      calls
        .filter((call) => call.purpose === purpose)
        .map(wordsOf)
        .join();
    return { revise: wordsFor('revise'), answer: wordsFor('answer') };
  }

  it('the arbiter is told that ballots are about the drafts as they were', async () => {
    expect((await voted(PANEL)).answer).toMatch(/drafts before the last round \(points\): \w \d/);
  });

  it('of two nobody votes: none is asked to, and a vote all the same does not count', async () => {
    const { revise, answer } = await voted(PANEL.slice(0, 2));
    expect(revise).not.toContain('BALLOT');
    expect(answer).not.toContain('(points)');
  });
});
