import { readdirSync, readFileSync } from 'node:fs';
import { bombPdf, pdfOf } from '../../test/support/pdf';
import { readPdf as readPdfOf } from './pdf-text';

const readPdf = (bytes: Uint8Array, userId = 'ada') => readPdfOf(bytes, userId);

describe('readPdf', () => {
  const onLinux = process.platform === 'linux' ? it : it.skip;

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

  it('reads one file after another, lets four of a user wait, and another user take turns with them', async () => {
    const order: string[] = [];
    const readFor = async (user: string, number: number) => {
      const reading = await readPdf(pdfOf([`Number ${number}`]), user);
      order.push(user);
      return reading;
    };
    const ofAda = Array.from({ length: 6 }, (_, number) => readFor('ada', number));
    const ofBob = readFor('bob', 99);
    expect(await ofBob).toEqual({ text: 'Number 99' });
    expect(await Promise.all(ofAda)).toEqual([
      ...Array.from({ length: 4 }, (_, number) => ({ text: `Number ${number}` })),
      { trouble: 'busy' },
      { trouble: 'busy' },
    ]);
    // Two of hers are refused at once, one is being read and one may be next; the others come after his.
    expect(order.indexOf('bob')).toBeLessThanOrEqual(4);
  });

  onLinux('is the work of a process that has no environment, and so no secret of ours', async () => {
    const before = childProcesses();
    const reading = readPdf(pdfOf(['One']));
    const [child] = childProcesses().filter((id) => !before.includes(id));
    expect(readFileSync(`/proc/${child}/environ`, 'utf8')).toBe('');
    await reading;
  });

  it.each([
    ['a tree of pages that holds itself', '/Kids [2 0 R]'],
    ['a page that does not exist', '/Kids [999 0 R]'],
    ['a count of pages that is a lie', '/Count 999999999'],
    ['a count below nought', '/Count -1'],
  ])('survives %s, and reads the next', async (_, flawed) => {
    const [name] = flawed.split(' ');
    const whole = pdfOf(['Hidden']).toString('latin1');
    const broken = whole.replace(name === '/Kids' ? /\/Kids \[[^\]]*\]/ : /\/Count \d+/, flawed);
    expect(broken).not.toBe(whole);
    const reading = await readPdf(Buffer.from(broken, 'latin1'));
    expect([{ text: 'Hidden' }, { text: '' }, { trouble: 'unreadable' }, { trouble: 'too_large' }]).toContainEqual(
      reading,
    );
    expect(await readPdf(pdfOf(['Still here']))).toEqual({ text: 'Still here' });
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

/** Of this process, by their ids. */
function childProcesses(): string[] {
  const threads = readdirSync('/proc/self/task');
  return threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' ').filter(Boolean));
}
