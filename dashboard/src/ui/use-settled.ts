import { useEffect, useState } from 'react';

const STILL_MS = 250;

/** A value once it has not changed for a moment, such as what is being typed. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), STILL_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
