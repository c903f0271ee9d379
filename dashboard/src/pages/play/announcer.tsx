import { useEffect, useState } from 'react';
import { useRunStore } from '../../run/use-run';
import { announcements } from './announcements';

/** Tells readers of the screen what changes. */
export function Announcer() {
  const store = useRunStore();
  const [words, tell] = useState('');
  useEffect(() => {
    let before = store.shown();
    return store.subscribe(() => {
      const told = announcements(before, store.shown());
      before = store.shown();
      if (told.length > 0) tell(told.join('. '));
    });
  }, [store]);
  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  );
}
