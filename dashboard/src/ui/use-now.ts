import { useEffect, useState } from 'react';

const STEP_MS = 10_000;

/** The time, epoch ms, told again every ten seconds, for what is shown as “2 minutes ago”. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
