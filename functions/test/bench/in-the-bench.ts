import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Runs a program beside the modules of `bench/`, which are ES modules; returns what it calls `told` with. */
export function inTheBench<Told>(program: string): Told {
  const whole = `const told = (value) => console.log(JSON.stringify(value));\n${program}`;
  const args = ['--input-type=module', '-e', whole];
  const cwd = join(__dirname, '..', '..');
  return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }));
}
