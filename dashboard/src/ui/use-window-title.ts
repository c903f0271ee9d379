import { useEffect } from 'react';

const NAME = 'Ensemble API';

/** Names the window, which is how tabs are told apart; a later one gives way again to that of its page. Undefined: none of its own. */
export function useWindowTitle(title: string | undefined): void {
  useEffect(() => {
    if (title === undefined) return;
    const before = document.title;
    document.title = `${title} · ${NAME}`;
    return () => {
      document.title = before;
    };
  }, [title]);
}
