import { renderSheet } from './sheet';

describe('a sheet with images', () => {
  // A window of 8,000 tokens has room for 16,000 characters beside the reply.
  const exhibit = { title: 'draft', text: 'x'.repeat(11_000) };
  const image = { mediaType: 'image/png', base64: 'AAAA' } as const;
  const sheet = (images?: readonly (typeof image)[]) => ({
    conversation: { history: [], prompt: 'Look', nonce: 'n', ...(images && { images }) },
    task: [exhibit],
  });

  it('shows them with the prompt, whatever is left out', () => {
    expect(renderSheet(sheet([image]), 8_000)).toMatchObject({ cut: false, prompt: { turns: [{ images: [image] }] } });
    expect(renderSheet(sheet([image, image]), 8_000)).toMatchObject({
      cut: true,
      prompt: { turns: [{ images: [image, image] }] },
    });
  });

  it('has no room taken by images that are not there', () => {
    expect(renderSheet(sheet(), 8_000)).toMatchObject({ cut: false });
    expect(renderSheet(sheet(), 8_000).prompt.turns[0]).not.toHaveProperty('images');
  });
});
