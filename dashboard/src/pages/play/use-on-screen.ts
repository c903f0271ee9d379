import { type RefObject, useEffect, useRef, useState } from 'react';

/** True if an element can be seen, or soon can. */
export function useOnScreen<Of extends HTMLElement>(): [RefObject<Of | null>, boolean] {
  const ref = useRef<Of>(null);
  const [isOnScreen, setOnScreen] = useState(true);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver((entries) => setOnScreen(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: '200px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return [ref, isOnScreen];
}
