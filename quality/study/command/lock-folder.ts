import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Stopped } from '../service/client.ts';

/** Keeps a second process out of a study's folder, which would spend its money again. What a killed one left is no lock. */
export function lockFolder(folder: string): Disposable {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  if (!take(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (isRunning(pid)) throw new Stopped('failed', `The study in ${folder} is under way (process ${pid})`);
    rmSync(file, { force: true });
    take(file);
  }
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) };
}

function take(file: string): boolean {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}
