import { type ReactNode, useCallback, useState, useSyncExternalStore } from 'react';
import { SPEEDS } from '../../run/run-player';
import type { RunSession, SessionState } from '../../run/run-session';
import { ErrorState } from '../../ui/error-state';
import { Announcer } from './announcer';
import styles from './play.module.css';
import { RunControls } from './run-controls';
import { RunHead } from './run-head';
import { RunHeading } from './run-heading';
import { RunStage } from './run-stage';
import { PaceContext } from './use-elapsed';

interface RunViewProps {
  readonly session: RunSession;
  readonly state: SessionState;
  readonly hasShortcuts: boolean;
  /** Asks this next; absent: the run is to be read, and nothing else. */
  readonly onAsk?: (prompt: string) => void;
  /** Stands under the answer, once there is a run: the next message, the rating. */
  readonly children?: ReactNode;
}

const NEVER = (): (() => void) => () => {};

/** A run as it happens, as it ended, or as it is shown again. */
export default function RunView({ session, state, hasShortcuts, onAsk, children }: RunViewProps) {
  const { connection, player, stopError } = state;
  const pace = useSyncExternalStore(player?.subscribe ?? NEVER, () => player?.pace());
  const [focused, focus] = useState<string>();
  const onFocus = useCallback((seat: string | undefined) => focus(seat), []);
  const speed = pace ? SPEEDS[pace] : connection.is === 'open' ? 1 : 0;
  return (
    <PaceContext value={speed}>
      <RunHeading />
      <Announcer />
      <RunHead actions={<RunControls session={session} state={state} pace={pace} />} />
      <p role="status" className={connection.is === 'lost' ? styles.notice : 'visually-hidden'}>
        {connection.is === 'lost' &&
          'The connection is lost. This page keeps looking for the run, and picks it up again where it broke off.'}
      </p>
      {stopError !== undefined && <ErrorState title="The run could not be stopped" error={stopError} />}
      <RunStage onAsk={onAsk} onStop={session.stop} hasShortcuts={hasShortcuts} focused={focused} onFocus={onFocus}>
        {children}
      </RunStage>
    </PaceContext>
  );
}
