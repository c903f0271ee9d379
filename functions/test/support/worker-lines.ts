import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** For the programs of a worker pool: writes a line that is on its way before the next step begins, so a kill loses none. */
export function print(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Tells of each line that the test sends; the process ends with the test. */
export function onLine(take: (line: string) => void): void {
  createInterface({ input: process.stdin })
    .on('line', take)
    .on('close', () => process.exit());
}
