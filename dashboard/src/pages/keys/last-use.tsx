import { usd } from '../../ui/format-number';
import { Moment } from '../../ui/moment';
import { type Key, shortKey } from './keys';

/** The last use of a key, by which its owner judges whether it is still needed: one sentence. */
export function LastUse({ target }: { readonly target: Key }) {
  const { lastUsedAt, spentUsd } = target;
  return (
    <>
      <code>{shortKey(target)}</code>{' '}
      {lastUsedAt === null ? (
        'has never been used.'
      ) : (
        <>
          was last used <Moment at={lastUsedAt} /> and has spent {usd(spentUsd)} this month.
        </>
      )}
    </>
  );
}
