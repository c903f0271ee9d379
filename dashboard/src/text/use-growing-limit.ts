import { useEffect, useState } from 'react';

const FIRST_CHARACTERS = 48_000;
const STEP_CHARACTERS = 64_000;

/** The shown length of a long text: a first part, and after `showAll` more of it with every frame. */
export function useGrowingLimit(length: number): { readonly limit: number; readonly showAll: () => void } {
  const [limit, setLimit] = useState(FIRST_CHARACTERS);
  const [isAll, setAll] = useState(false);
  useEffect(() => {
    if (!isAll || limit >= length) return;
    const frame = requestAnimationFrame(() => setLimit(limit + STEP_CHARACTERS));
    return () => cancelAnimationFrame(frame);
  }, [isAll, limit, length]);
  return { limit, showAll: () => setAll(true) };
}
