import { dayOf, exactMoment, relativeTo } from './format-moment';
import { useNow } from './use-now';

interface MomentProps {
  /** ISO 8601. */
  readonly at: string;
  /** `day`: the date; default: how long ago. The exact moment is always in the title. */
  readonly as?: 'day' | 'relative';
}

/** A moment in the reader's own words and zone. */
export function Moment({ at, as = 'relative' }: MomentProps) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  return (
    <time dateTime={at} title={exactMoment(atMs)}>
      {as === 'day' ? dayOf(atMs) : relativeTo(nowMs, atMs)}
    </time>
  );
}
