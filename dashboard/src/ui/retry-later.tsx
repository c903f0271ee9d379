import { useEffect, useEffectEvent, useState } from 'react';
import { Button } from './button';
import { MS_A_SECOND } from './time-units';

interface RetryLaterProps {
  /** The moment from which it may be asked again. */
  readonly atMs: number;
  /** Absent: it is asked again elsewhere. */
  readonly onRetry?: (() => void) | undefined;
}

/**
 * The time until something may be asked again, and a button that waits for it. Not to be put into a live region, which
 * would read out every second.
 */
export function RetryLater({ atMs, onRetry }: RetryLaterProps) {
  const seconds = useSecondsUntil(atMs);
  const [isWaiting, setWaiting] = useState(false);
  const retry = useEffectEvent(() => onRetry?.());
  useEffect(() => {
    if (!isWaiting || seconds > 0) return;
    setWaiting(false);
    retry();
  }, [isWaiting, seconds]);
  if (!onRetry) return <p>{seconds > 0 ? `It may be tried again in ${seconds} s.` : 'It may be tried again now.'}</p>;
  if (seconds === 0) return <Button onPress={onRetry}>Try again</Button>;
  const words = isWaiting ? `Tries again in ${seconds} s: cancel` : `Wait ${seconds} s and try again`;
  return <Button onPress={() => setWaiting(!isWaiting)}>{words}</Button>;
}

function useSecondsUntil(atMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), MS_A_SECOND);
    return () => clearInterval(timer);
  }, []);
  return Math.max(0, Math.ceil((atMs - nowMs) / MS_A_SECOND));
}
