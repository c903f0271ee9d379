import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Installs of what was reviewed alone: `npm ci` checks every package against the hash in the lockfile. */

interface Locked {
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly dev?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

/** A developer's tool built for a machine that neither serves the API nor runs its tests. */
function isForOtherMachines([path, { dev, optional, os, cpu }]: [string, Locked]): boolean {
  const isOurs = (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && !path.includes('musl');
  return dev === true && optional === true && !isOurs;
}

const ROOT = join(__dirname, '..', '..', '..');
const FOLDERS = ['functions', 'dashboard', 'tools', 'small-model', 'quality', 'functions/test/clients/javascript'];
const CLIENTS = globSync('clients/*/package.json', { cwd: ROOT }).map(dirname);

it.each([...FOLDERS, ...CLIENTS])(
  'the lockfile of %s/ has registry packages alone, each with a strong hash',
  (folder) => {
    const text = readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8');
    const { '': _, ...packages } = (JSON.parse(text) as { packages: Record<string, Locked> }).packages;
    const weak = Object.entries(packages).filter((one) => {
      const { integrity = '', resolved, link } = one[1];
      const isHashed = link || isForOtherMachines(one) || /^sha512-[\w+/]{86}==$/.test(integrity);
      return !isHashed || (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'));
    });
    expect(weak).toEqual([]);
  },
);
