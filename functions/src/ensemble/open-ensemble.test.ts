import { requestOf } from '../../test/support/played-run';
import { textOfTokens } from '../../test/support/text-of-tokens';
import { createCatalog } from '../models/catalog';
import { AnswerTimes } from './deadline/answer-times';
import { openEnsemble } from './open-ensemble';
import { seatPanel } from './panel/panel';
import type { EnsembleRequest } from './run';

const { modelOf } = createCatalog();
const MODELS = ['demo-blaise', 'demo-curie'];
const ASKED = { strategy: 'competitive_refinement', models: MODELS, arbiter: 'demo-ada', message: 'x' } as const;
/** A thousand tokens, and as many characters. */
const TEXT = textOfTokens(1_000);
const OWN = seatPanel(modelOf('demo-ada'), MODELS.map(modelOf), [{ systemPrompt: TEXT }]);

it.each<readonly [rule: string, fields: Partial<EnsembleRequest>, characters: number]>([
  ['once', { systemPrompt: TEXT }, 1_000],
  ['once, whoever follows them', { systemPrompt: TEXT, sharedPrompt: TEXT }, 1_000],
  ['each text for itself', { systemPrompt: `${TEXT}z`, sharedPrompt: TEXT }, 2_001],
  ['of one participant as it is shown them', { panel: OWN, sharedPrompt: TEXT }, 3_000],
])('instructions count in the memory of a run: %s', (_, fields, characters) => {
  const [plain = 0, held = 0] = [{}, fields].map(
    (own) => openEnsemble(requestOf({ ...ASKED, rounds: 1, fields: own }), new AnswerTimes().of('alice')).heldBytes,
  );
  expect(held - plain).toBe(4 * characters);
});

it('what an ensemble is likely to call is all that it plans, in order, each with a prompt as long as the first', () => {
  const paces = new AnswerTimes().of('alice');
  for (const tokens of [5_000, 9_000, 7_000]) paces.note('demo-curie', 1_000, tokens);
  const { panel, ...request } = requestOf({ ...ASKED, rounds: 2, fields: { webSearch: true } });
  const participants = panel.participants.map((seat) => ({ ...seat, webSearch: true as const }));
  const { firstWave, likelyCalls } = openEnsemble({ ...request, panel: { ...panel, participants } }, paces);
  const [{ promptTokens } = { promptTokens: 0 }] = firstWave;
  // Only the first search the web, and some replies are known to be long.
  const [blaise, curie, ada] = [...MODELS, 'demo-ada'].map((id) => ({
    model: modelOf(id),
    promptTokens,
    replyTokens: id === 'demo-curie' ? 9_000 : undefined,
  }));
  const webSearch = true;
  expect(likelyCalls?.(0)).toEqual([{ ...blaise, webSearch }, { ...curie, webSearch }, blaise, curie, ada, ada]);
});
