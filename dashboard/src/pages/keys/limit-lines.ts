import { exactMoment } from '../../ui/format-moment';
import { count, usd } from '../../ui/format-number';
import { isSpent, type Key } from './keys';

/** The limits of a key, each in words; `monthEndsAt` is when budgets begin anew. */
export function limitLines(
  key: Pick<Key, 'models' | 'endpoints' | 'requestsPerMinute' | 'budgetUsd' | 'spentUsd'>,
  monthEndsAt: string,
): readonly string[] {
  const { models, endpoints, requestsPerMinute, budgetUsd } = key;
  const until = exactMoment(Date.parse(monthEndsAt));
  return [
    ...(models ? [`Models: ${models.join(', ')}`] : []),
    ...(endpoints ? [`Endpoints: ${endpoints.join(', ')}`] : []),
    ...(requestsPerMinute === undefined ? [] : [`${count(requestsPerMinute)} requests a minute`]),
    ...(budgetUsd !== undefined && isSpent(key)
      ? [`Its budget of ${usd(budgetUsd)} is spent: requests are refused until ${until}`]
      : []),
  ];
}
