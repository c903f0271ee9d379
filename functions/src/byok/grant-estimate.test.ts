import { plainRequest } from '../../test/support/plain-request';
import { textOfTokens } from '../../test/support/text-of-tokens';
import { type Panel, seatPanel } from '../ensemble/panel/panel';
import type { EnsembleRequest } from '../ensemble/run';
import { createCatalog, type ModelRow } from '../models/catalog';
import { estimatePlatformTokens } from './grant-estimate';

const { modelOf } = createCatalog();
const find = (id: string): ModelRow => (id.includes('/') ? { ...modelOf(id), provider: 'router' } : modelOf(id));
const panel = (arbiter: string, ...participants: string[]): Panel => seatPanel(find(arbiter), participants.map(find));

describe('estimatePlatformTokens', () => {
  it('is one prompt and one reply for a single model', () => {
    expect(estimatePlatformTokens(plainRequest(panel('demo-ada')))).toBe(1_600);
    // Questions to follow are a call of their own.
    expect(estimatePlatformTokens(plainRequest(panel('demo-ada'), { includeFollowUps: true }))).toBe(3_200);
  });

  it('is nothing for a panel of router models', () => {
    expect(
      estimatePlatformTokens(plainRequest(panel('o/a', 'o/b', 'o/c'), { rounds: 10, includeExplanation: true })),
    ).toBe(0);
  });

  it('adds up drafts, revisions that read everybody’s texts, and the answer', () => {
    // A draft 1,600, a revision 1,000 + 2 texts + 1 reply = 2,800; the answer as much.
    const seats = panel('demo-ada', 'demo-blaise', 'demo-curie');
    expect(estimatePlatformTokens(plainRequest(seats))).toBe(2 * 1_600 + 2_800);
    expect(estimatePlatformTokens(plainRequest(seats, { rounds: 3 }))).toBe(2 * (1_600 + 2 * 2_800) + 2_800);
    expect(estimatePlatformTokens(plainRequest(seats, { includeExplanation: true, includeFollowUps: true }))).toBe(
      2 * 1_600 + 3 * 2_800,
    );
  });

  it('counts the platform’s seats only, by what they read of all', () => {
    expect(estimatePlatformTokens(plainRequest(panel('o/a', 'demo-blaise', 'o/b'), { rounds: 2 }))).toBe(1_600 + 2_800);
    expect(estimatePlatformTokens(plainRequest(panel('demo-ada', 'o/a', 'o/b')))).toBe(2_800);
  });

  it('reads history, instructions and images with the prompt', () => {
    const more: Partial<EnsembleRequest> = {
      history: [{ role: 'user', text: textOfTokens(100) }],
      systemPrompt: textOfTokens(10),
      images: [{ mediaType: 'image/png', base64: 'AAAA' }],
    };
    expect(estimatePlatformTokens(plainRequest(panel('demo-ada'), more))).toBe(1_600 + 100 + 10 + 1_000);
  });

  it('reads what one participant is told in that participant’s calls', () => {
    const models = ['o/a', 'demo-blaise', 'demo-curie'].map(find);
    const told = [{ systemPrompt: textOfTokens(100) }, { systemPrompt: textOfTokens(10) }];
    const plain = plainRequest(seatPanel(find('o/b'), models), { rounds: 2 });
    const seats = seatPanel(find('o/b'), models, told);
    // Ten tokens in each of two waves; the router's participant is not the platform's.
    expect(estimatePlatformTokens({ ...plain, panel: seats }) - estimatePlatformTokens(plain)).toBe(20);
  });
});
