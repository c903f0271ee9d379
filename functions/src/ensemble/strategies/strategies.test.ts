import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { STRATEGY_NAMES } from './strategies';

const SRC = join(__dirname, '..', '..');
/** Evaluations have strategies of their own, one with the same name. */
const OTHER_STRATEGIES = 'evaluation/';

/** The sources that name a strategy in any spelling, with where they may. */
function filesNaming(name: string): string[] {
  const words = name.split('_');
  const spellings = new RegExp(`\\b${words.join('[-_ ]?')}`, 'i');
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(?<!\.test)\.ts$/.test(file),
  );
  return sources
    .filter((file) => !file.startsWith(OTHER_STRATEGIES))
    .filter((file) => spellings.test(readFileSync(join(SRC, file), 'utf8')));
}

describe('the table of strategies', () => {
  it.each(STRATEGY_NAMES)('is the only file that names %s beside its own', (name) => {
    const own = `ensemble/strategies/${name.replaceAll('_', '-')}`;
    const others = filesNaming(name).filter((file) => file !== `${own}.ts` && !file.startsWith(`${own}/`));
    expect(others).toEqual(['ensemble/strategies/strategies.ts']);
  });
});
