import { createCatalog } from '../../models/catalog';
import { cheapestFirst, seatPanel } from './panel';

const { modelOf } = createCatalog([
  { id: 'free', price: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } },
  { id: 'wordy', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 100 } },
  { id: 'reader', price: { inputUsdPerMillion: 5, outputUsdPerMillion: 5 } },
  { id: 'twin', price: { inputUsdPerMillion: 5, outputUsdPerMillion: 5 } },
]);

it.each([
  // A thousand tokens in and a hundred out: 0 for free, 0.0055 for the reader, 0.011 USD for the wordy one.
  ['input and output together', ['wordy', 'reader', 'free'], ['free', 'reader', 'wordy']],
  ['list prices', ['claude-opus-4-1', 'gpt-4o', 'gpt-4o-mini'], ['gpt-4o-mini', 'gpt-4o', 'claude-opus-4-1']],
  ['of equal ones the arbiter is first', ['twin', 'reader'], ['twin', 'reader']],
  ['one without a known price is last', ['nobody-knows', 'wordy', 'new'], ['wordy', 'nobody-knows', 'new']],
])('the cheapest seat is first, by %s', (_, [arbiter = '', ...participants], ids) => {
  const panel = seatPanel(modelOf(arbiter), participants.map(modelOf));
  const ordered = cheapestFirst([panel.arbiter, ...panel.participants], Date.UTC(2026, 0, 15));
  expect(ordered.map(({ model }) => model.id)).toEqual(ids);
});
