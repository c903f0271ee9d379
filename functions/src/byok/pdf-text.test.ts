import { bombPdf, pdfOf } from '../../test/support/pdf';
import { readPdf } from './pdf-text';

describe('readPdf', () => {
  it('gives the text of the pages that have some, parted by blank lines', async () => {
    expect(await readPdf(pdfOf(['The code is 4711.', '', 'Page three.']))).toEqual({
      text: 'The code is 4711.\n\nPage three.',
    });
    expect(await readPdf(pdfOf(['']))).toEqual({ text: '' });
  });

  it.each([
    ['is no PDF', Buffer.from('%PDF-1.7 but nothing else'), 'unreadable'],
    ['needs a password', pdfOf(['secret'], { encrypt: true }), 'locked'],
  ])('tells that a file %s', async (_, bytes, trouble) => {
    expect(await readPdf(bytes)).toEqual({ trouble });
  });

  it('reads one file after another and lets sixteen wait', async () => {
    const words = await Promise.all(Array.from({ length: 20 }, (_, index) => readPdf(pdfOf([`Number ${index}`]))));
    expect(words.slice(0, 16)).toEqual(Array.from({ length: 16 }, (_, index) => ({ text: `Number ${index}` })));
    expect(words.slice(16)).toEqual(Array.from({ length: 4 }, () => ({ trouble: 'busy' })));
  });

  it('leaves the bytes it was given alone', async () => {
    const bytes = pdfOf(['Twice']);
    await readPdf(bytes);
    expect(await readPdf(bytes)).toEqual({ text: 'Twice' });
  });

  it('gives up a small file that inflates without end, and reads the next', async () => {
    const bomb = bombPdf(200);
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await readPdf(bomb)).toEqual({ trouble: 'too_large' });
    expect(await readPdf(pdfOf(['Still here']))).toEqual({ text: 'Still here' });
  });
});
