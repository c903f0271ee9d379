import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What is installed is what was reviewed: `npm ci` checks every package against the hash in the lockfile. */

const ROOT = join(__dirname, '..', '..', '..');

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

function lockedIn(folder: string): [string, LockedPackage][] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, folder, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  return Object.entries(packages).filter(([path]) => path !== '');
}

/** A developer's tool built for a machine that neither serves the API nor runs its tests. */
function isForOtherMachines([path, { dev, optional, os, cpu }]: [string, LockedPackage]): boolean {
  const isOurs = (os?.includes('linux') ?? true) && (cpu?.includes('x64') ?? true) && !path.includes('musl');
  return dev === true && optional === true && !isOurs;
}

const CLIENTS = ['agents-sdk-js', 'cline', 'continue', 'librechat', 'n8n', 'promptfoo'].map(
  (name) => `clients/${name}`,
);

const ASIDE = ['functions/test/clients/javascript'];

describe.each(['functions', 'dashboard', 'tools', 'small-model', 'quality', ...ASIDE, ...CLIENTS])(
  'the lockfile of %s/',
  (folder) => {
    it('has a strong hash of every package that is deployed, or that builds or tests what is', () => {
      const weak = lockedIn(folder).filter(
        ([, one]) => !one.link && !/^sha512-[\w+/]{86}==$/.test(one.integrity ?? ''),
      );
      expect(weak.filter((one) => !isForOtherMachines(one)).map(([path]) => path)).toEqual([]);
    });

    it('takes packages from the registry alone', () => {
      const elsewhere = lockedIn(folder).filter(
        ([, { resolved }]) => resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/'),
      );
      expect(elsewhere).toEqual([]);
    });

    it('holds every direct dependency to one version', () => {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(
        readFileSync(join(ROOT, folder, 'package.json'), 'utf8'),
      ) as { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
      const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
        ([, version]) => !/^\d+\.\d+\.\d+$/.test(version),
      );
      expect(loose).toEqual([]);
    });
  },
);
