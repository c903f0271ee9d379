import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog } from '../models/catalog';
import { AnswerTimes } from './deadline/answer-times';
import { openEnsemble } from './open-ensemble';
import { type Panel, seatPanel } from './panel/panel';
import type { EnsembleRequest } from './run';
import { STRATEGIES } from './strategies/strategies';

/** A request with a message of 1,000 tokens and one round, which asks for nothing beside the answer. */
function plainRequest(panel: Panel, change: Partial<EnsembleRequest> = {}): EnsembleRequest {
  return {
    requestId: 'request',
    strategy: STRATEGIES.competitive_refinement,
    rounds: 1,
    panel,
    message: textOfTokens(1_000),
    history: [],
    sampling: {},
    includeCandidates: false,
    includeExplanation: false,
    includeFollowUps: false,
    ...change,
  };
}

const { modelOf } = createCatalog();
const PANEL = seatPanel(modelOf('demo-ada'), ['demo-blaise', 'demo-curie'].map(modelOf));
const open = (change: Partial<EnsembleRequest>) =>
  openEnsemble(plainRequest(PANEL, { message: 'x', ...change }), new AnswerTimes().of('alice'));

describe('what an ensemble holds before it is played', () => {
  const plain = open({});
  /** A thousand tokens, and as many characters. */
  const text = textOfTokens(1_000);

  it('instructions count as memory once, whoever follows them', () => {
    // Four bytes a character.
    expect(open({ systemPrompt: text }).heldBytes - plain.heldBytes).toBe(4_000);
    expect(open({ systemPrompt: text, sharedPrompt: text }).heldBytes - plain.heldBytes).toBe(4_000);
    expect(open({ systemPrompt: `${text}z`, sharedPrompt: text }).heldBytes - plain.heldBytes).toBe(8_004);
  });

  it('instructions of one participant count as it is shown them, in memory and in its estimate', () => {
    const panel = seatPanel(modelOf('demo-ada'), ['demo-blaise', 'demo-curie'].map(modelOf), [{ systemPrompt: text }]);
    expect(open({ panel }).heldBytes - plain.heldBytes).toBe(4_000);
    expect(open({ panel, sharedPrompt: text }).heldBytes - open({ sharedPrompt: text }).heldBytes).toBe(8_000);
    const [told = 0, other = 0] = open({ panel }).firstWave.map(({ promptTokens }) => promptTokens);
    expect(told - other).toBe(1_000);
  });
});

it('what an ensemble is likely to call is all that it plans, in order, each with a prompt as long as the first', () => {
  const paces = new AnswerTimes().of('alice');
  for (const tokens of [5_000, 9_000, 7_000]) paces.note('demo-curie', 1_000, tokens);
  const participants = PANEL.participants.map((seat) => ({ ...seat, webSearch: true as const }));
  const request = plainRequest({ ...PANEL, participants }, { message: 'x', rounds: 2, includeExplanation: true });
  const { firstWave, likelyCalls } = openEnsemble({ ...request, webSearch: true }, paces);
  const [{ promptTokens } = { promptTokens: 0 }] = firstWave;
  // Only the first search the web, and some replies are known to be long.
  const [blaise, curie, ada] = ['demo-blaise', 'demo-curie', 'demo-ada'].map((id) => ({
    model: modelOf(id),
    promptTokens,
    replyTokens: id === 'demo-curie' ? 9_000 : undefined,
  }));
  const webSearch = true;
  expect(likelyCalls?.(0)).toEqual([{ ...blaise, webSearch }, { ...curie, webSearch }, blaise, curie, ada, ada]);
});
