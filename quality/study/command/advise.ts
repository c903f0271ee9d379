import { Stopped } from '../service/stopped.ts';
import { advisedIn } from './advised.ts';
import { keptStudy } from './kept-study.ts';

/** What the study in a folder advises: the cheapest arm that is not significantly worse than the best, and how to use it. */
export function adviseOn(folder: string): string {
  const advised = advisedIn(keptStudy(folder));
  if (!advised) throw new Stopped('failed', `--out ${folder} holds no answer that is known to be right`);
  return [
    ...advised.reasons,
    '',
    advised.isSingle ? 'One model is enough: the fields of a request are' : 'The fields of a request are',
    '',
    JSON.stringify(advised.settings, null, 2),
  ].join('\n');
}
