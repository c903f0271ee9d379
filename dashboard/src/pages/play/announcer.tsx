import { useEffect, useState } from 'react';
import { useRunStore } from '../../run/use-run';
import { announcements } from './announcements';

const AT_ONCE_MAX = 3;

/** Tells readers of the screen what changes. */
export function Announcer() {
  const store = useRunStore();
  const [words, tell] = useState('');
  useEffect(() => {
    let before = store.shown();
    return store.subscribe(() => {
      const told = announcements(before, store.shown());
      before = store.shown();
      // More than that at once is a run that was opened, or one that was resumed: how it stands is what counts.
      if (told.length > 0) tell(told.slice(-AT_ONCE_MAX).join('. '));
    });
  }, [store]);
  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  );
}
