import { readdirSync, readFileSync } from 'node:fs';
import { fakeClock } from '../../test/support/fake-clock';
import { bombPdf, pdfOf } from '../../test/support/pdf';
import { systemClock } from '../lib/clock';
import { createPdfReader } from './pdf-text';

/** Reads with a reader of its own, so that no other test has used up the time of its user. */
const readPdf = (bytes: Uint8Array, userId = 'ada') => createPdfReader(systemClock)(bytes, userId);

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

  it('begins a file at once however many another user has brought, and reads those one after another', async () => {
    const read = createPdfReader(systemClock);
    const order: string[] = [];
    const readFor = async (user: string, bytes: Buffer, name: string) => {
      const reading = await read(bytes, user);
      order.push(name);
      return reading;
    };
    // Each takes longer than the small one, which no place is free for once both are taken by files like these.
    const ofAda = Array.from({ length: 3 }, (_, number) => readFor('ada', bombPdf(2), `ada ${number}`));
    expect(await readFor('bob', pdfOf(['Number 99']), 'bob')).toEqual({ text: 'Number 99' });
    expect(order).toEqual(['bob']);
    await Promise.all(ofAda);
    expect(order).toEqual(['bob', 'ada 0', 'ada 1', 'ada 2']);
  });

  it('takes 10 seconds of a user in any minute, and leaves the time of others alone', async () => {
    const clock = fakeClock();
    const read = createPdfReader(clock);
    const small = pdfOf(['Small']);
    /** One that takes so long, to the clock of the reader. */
    const slow = async (ms: number) => {
      const reading = read(bombPdf(40), 'ada');
      await clock.advance(ms);
      return reading;
    };
    expect(await slow(8_000)).toEqual({ trouble: 'too_large' });
    expect(await slow(2_000)).toEqual({ trouble: 'time_used_up' });
    expect(await read(small, 'ada')).toEqual({ trouble: 'time_used_up' });
    expect(await read(small, 'bob')).toEqual({ text: 'Small' });
    // The 8 seconds ended a minute ago, the other two did not.
    await clock.advance(58_000);
    expect(await slow(7_999)).toEqual({ trouble: 'too_large' });
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

  it('gives up a small file that inflates without end, and reads the next', async () => {
    const bomb = bombPdf(200);
    expect(bomb.length).toBeLessThan(1_000_000);
    expect(await readPdf(bomb)).toEqual({ trouble: 'too_large' });
    expect(await readPdf(pdfOf(['Still here']))).toEqual({ text: 'Still here' });
  });
});

/** Ids of this process's children. */
function childProcesses(): string[] {
  const threads = readdirSync('/proc/self/task');
  return threads.flatMap((id) => readFileSync(`/proc/self/task/${id}/children`, 'utf8').split(' ').filter(Boolean));
}
