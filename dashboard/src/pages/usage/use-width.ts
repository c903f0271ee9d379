import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width of an element in pixels, told anew whenever it changes; 0 until it is known. */
export function useWidth<Of extends HTMLElement>(): [RefObject<Of | null>, number] {
  const ref = useRef<Of>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
