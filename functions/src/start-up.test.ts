import { EventEmitter } from 'node:events';
import { fakeClock } from '../test/support/fake-clock';
import { createLog } from './lib/log';
import { OpenWork } from './lib/open-work';
import { endOnSignals } from './start-up';

/** A process that notes with which codes it was told to exit, and goes on. */
function started(flush?: () => Promise<void>) {
  const clock = fakeClock();
  const openWork = new OpenWork();
  const exits: unknown[] = [];
  const lines: Record<string, unknown>[] = [];
  const emitter = new EventEmitter();
  const process = Object.assign(emitter, { exit: (code: unknown) => exits.push(code) }) as unknown as NodeJS.Process;
  const log = createLog('info', (line) => lines.push(JSON.parse(line)));
  endOnSignals({ openWork, clock, log, process, ...(flush && { flush }) });
  return { clock, openWork, exits, lines, emitter };
}

describe('a process that is told to end', () => {
  it('sends what was measured once the work is over, waits no longer than for that, and says when it failed', async () => {
    let asked = 0;
    const slow = started(() => {
      asked += 1;
      return new Promise(() => {});
    });
    const end = slow.openWork.begin();
    slow.emitter.emit('SIGTERM');
    await slow.clock.advance(1_000);
    expect(asked).toBe(0);
    end();
    await slow.clock.advance(6_999);
    expect([asked, slow.exits]).toEqual([1, []]);
    await slow.clock.advance(1);
    expect(slow.exits).toEqual([0]);
    const broken = started(() => Promise.reject(new Error('no collector')));
    broken.emitter.emit('SIGTERM');
    await broken.clock.advance(0);
    expect(broken.exits).toEqual([0]);
    const warning = { severity: 'WARNING', message: 'telemetry not sent', cause: 'Error: no collector' };
    expect(broken.lines).toContainEqual(warning);
  });

  it('exits at once at a second signal, but not at an echo of the first', async () => {
    const { clock, openWork, exits, emitter } = started();
    openWork.begin();
    emitter.emit('SIGINT');
    await clock.advance(499);
    emitter.emit('SIGINT');
    emitter.emit('SIGTERM');
    expect(exits).toEqual([]);
    await clock.advance(1);
    emitter.emit('SIGTERM');
    expect(exits).toEqual([143]);
  });

  it('after an exception that nothing caught closes the books, and exits with 1', async () => {
    const { clock, openWork, exits, lines, emitter } = started();
    const end = openWork.begin();
    emitter.emit('uncaughtException', new Error('a bug'));
    emitter.emit('uncaughtException', new Error('another'));
    expect(openWork.stopping.aborted).toBe(true);
    end();
    await clock.advance(0);
    expect(exits).toEqual([1]);
    const causes = lines.filter(({ severity }) => severity === 'ERROR').map(({ cause }) => cause);
    expect(causes).toEqual(['Error: a bug', 'Error: another']);
  });
});
