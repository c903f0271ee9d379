import { toFourDecimals } from '../../lib/to-four-decimals';
import type { Contributor } from '../panel/contributors';
import type { Agreement } from './agreement';

/**
 * Agreement of participants who have read each other's texts and could change their own: the share of those who left it as
 * it was when they were last asked, whatever they say of it. Undefined where fewer than two were.
 */
export function revisionsAgree(contributors: readonly Contributor[]): Agreement | undefined {
  const revised = contributors.filter(({ lastRevision }) => lastRevision !== undefined);
  if (revised.length < 2) return undefined;
  const kept = revised.filter(({ lastRevision }) => lastRevision === 'kept').length;
  return {
    share: toFourDecimals(kept / revised.length),
    measuredOn: 'revisions',
    words: `${kept === 0 ? 'None' : kept} of ${revised.length} participants left their text as it was, having read the others’.`,
  };
}
