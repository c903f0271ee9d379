import { useEffect, useRef, useState } from 'react';
import { useRun } from '../../../run/use-run';
import { Button } from '../../../ui/button';
import { usdOfNano } from '../../../ui/format-number';
import styles from './thread.module.css';
import { TurnView } from './turn-view';
import { turnsBefore } from './turns';
import { useConversation } from './use-conversation';
import { useThreadRuns } from './use-thread-runs';

/** Number of turns that are shown at first: the newest. */
const SHOWN_FIRST = 3;

/** The questions and answers before those of the run that is shown, each with its cost. */
export default function ThreadView() {
  const conversation = useConversation();
  const runs = useThreadRuns();
  const spent = useRun((state) => state.spent.costNanoUsd);
  const [isWhole, setWhole] = useState(false);
  const end = useEndInView();
  const turns = conversation ? turnsBefore(conversation.asked, runs) : [];
  if (turns.length === 0) return null;
  const cost = turns.reduce((sum, { run }) => sum + (run?.costNanoUsd ?? 0), spent);
  const isKnown = turns.every(({ run }) => run);
  const hidden = isWhole ? 0 : Math.max(0, turns.length - SHOWN_FIRST);
  return (
    <section className={styles.thread} aria-labelledby="thread-title">
      <header className="row">
        <h2 id="thread-title">Conversation</h2>
        <p className="soft">
          {turns.length + 1} turns, {isKnown ? '' : 'at least '}
          {usdOfNano(cost)} in all
        </p>
        {hidden > 0 && (
          <Button kind="quiet" onPress={() => setWhole(true)}>
            {hidden === 1 ? 'Show the first turn' : `Show the first ${hidden} turns`}
          </Button>
        )}
      </header>
      <ol start={hidden + 1}>
        {turns.slice(hidden).map((turn, index) => (
          <TurnView key={turn.question.at} turn={turn} number={hidden + index + 1} />
        ))}
      </ol>
      <div ref={end} className={styles.end} />
    </section>
  );
}

/** The end of the earlier turns, which is scrolled to the top once a run has begun: what is new is below it. */
function useEndInView() {
  const end = useRef<HTMLDivElement>(null);
  const run = useRun((state) => state.run);
  useEffect(() => {
    if (run) void end.current?.scrollIntoView({ block: 'start' });
  }, [run]);
  return end;
}
