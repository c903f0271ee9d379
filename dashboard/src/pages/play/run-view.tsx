import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react';
import type { Seat } from '../../run/run-events';
import { SPEEDS } from '../../run/run-player';
import type { RunSession, SessionState } from '../../run/run-session';
import { useRun } from '../../run/use-run';
import { ErrorState } from '../../ui/error-state';
import { Announcer } from './announcer';
import styles from './play.module.css';
import { RunControls } from './run-controls';
import { RunHead } from './run-head';
import { RunHeading } from './run-heading';
import { RunStage } from './run-stage';
import { Timeline } from './timeline';
import { PaceContext } from './use-elapsed';
import { useRunKeys } from './use-run-keys';

interface RunViewProps {
  readonly session: RunSession;
  readonly state: SessionState;
  readonly hasShortcuts: boolean;
  /** Asks this next; absent: the run is to be read, and nothing else. */
  readonly onAsk?: (prompt: string) => void;
  /** Stands under the answer, once there is a run: the next message, the rating. */
  readonly children?: ReactNode;
}

const NOBODY: readonly Seat[] = [];
const NEVER = (): (() => void) => () => {};

/** A run as it happens, as it ended, or as it is shown again. */
export default function RunView({ session, state, hasShortcuts, onAsk, children }: RunViewProps) {
  const { connection, player, stopError } = state;
  const pace = useSyncExternalStore(player?.subscribe ?? NEVER, () => player?.pace());
  const participants = useRun(({ run }) => run?.participants ?? NOBODY);
  const [focused, focus] = useState<string>();
  const onFocus = useCallback((seat: string | undefined) => focus(seat), []);
  useRunKeys({
    isOn: hasShortcuts,
    seats: participants.map(({ seat }) => seat),
    onStop: session.stop,
    onFocus,
  });
  const speed = pace ? SPEEDS[pace] : connection.is === 'over' || connection.is === 'gone' ? 0 : 1;
  return (
    <PaceContext value={speed}>
      <RunHeading />
      <Announcer />
      <RunHead actions={<RunControls session={session} state={state} pace={pace} />} />
      <p role="status" className={connection.is === 'lost' ? styles.notice : 'visually-hidden'}>
        {connection.is === 'lost' &&
          'The connection is lost. The run goes on at the server; this page resumes it where it broke off.'}
      </p>
      {stopError !== undefined && <ErrorState title="The run could not be stopped" error={stopError} />}
      <Timeline />
      <RunStage onAsk={onAsk} focused={focused} onFocus={onFocus}>
        {children}
      </RunStage>
    </PaceContext>
  );
}
