import { createCatalog } from '../../models/catalog';
import { cheapestFirst, seatPanel } from './panel';

const { modelOf } = createCatalog([
  { id: 'free', price: { inputUsdPerMillion: 0, outputUsdPerMillion: 0 } },
  { id: 'wordy', price: { inputUsdPerMillion: 1, outputUsdPerMillion: 100 } },
  { id: 'reader', price: { inputUsdPerMillion: 5, outputUsdPerMillion: 5 } },
  { id: 'twin', price: { inputUsdPerMillion: 5, outputUsdPerMillion: 5 } },
]);

/** The ids in order, of an arbiter and participants. */
function ordered(arbiter: string, ...participants: string[]): string[] {
  const panel = seatPanel(modelOf(arbiter), participants.map(modelOf));
  return cheapestFirst([panel.arbiter, ...panel.participants], Date.UTC(2026, 0, 15)).map(({ model }) => model.id);
}

describe('cheapestFirst', () => {
  it('goes by what input and output cost together', () => {
    // A thousand tokens in and a hundred out: 0 for free, 0.0055 for the reader, 0.011 USD for the wordy one.
    expect(ordered('wordy', 'reader', 'free')).toEqual(['free', 'reader', 'wordy']);
  });

  it('knows list prices', () => {
    expect(ordered('claude-opus-4-1', 'gpt-4o', 'gpt-4o-mini')).toEqual(['gpt-4o-mini', 'gpt-4o', 'claude-opus-4-1']);
  });

  it('of equal ones the arbiter is first', () => {
    expect(ordered('twin', 'reader')).toEqual(['twin', 'reader']);
    expect(ordered('reader', 'twin')).toEqual(['reader', 'twin']);
  });

  it('one without a known price comes last, the arbiter too', () => {
    expect(ordered('nobody-knows', 'wordy', 'unheard-of')).toEqual(['wordy', 'nobody-knows', 'unheard-of']);
  });
});
