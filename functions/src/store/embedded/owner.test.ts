import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hasEnded, processName } from './owner';

const self = processName(process.pid) ?? '';
const [boot, namespace, pid, started] = self.split(' ');

describe('the owner of a record', () => {
  it('is alive while its process runs', () => expect(hasEnded(self)).toBe(false));

  it('has ended once its process has', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    const owner = `${boot} ${namespace} ${child.pid} ${started}`;
    await once(child, 'exit');
    expect(hasEnded(owner)).toBe(true);
  });

  it('has ended when its id was given to a later process', () => {
    expect(hasEnded(`${boot} ${namespace} ${pid} ${Number(started) - 1}`)).toBe(true);
  });

  it.each([
    ['of another container', `${boot} pid:[1] 999999 1`],
    ['of another boot', `00000000-0000-0000-0000-000000000000 ${namespace} 999999 1`],
    ['without a name', ''],
  ])('%s cannot be judged and counts as alive', (_, owner) => expect(hasEnded(owner)).toBe(false));
});
