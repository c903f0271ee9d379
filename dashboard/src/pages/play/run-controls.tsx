import type { Pace } from '../../run/run-player';
import type { RunSession, SessionState } from '../../run/run-session';
import { Button } from '../../ui/button';
import { RunAgain } from './run-again';

interface RunControlsProps {
  readonly session: RunSession;
  readonly state: SessionState;
  /** The pace at which the run is being shown again; undefined: it is not. */
  readonly pace: Pace | undefined;
}

/** Stops a run that goes on; shows one that is over again. */
export function RunControls({ session, state, pace }: RunControlsProps) {
  const { connection, player, isStopping } = state;
  if (player && pace)
    return (
      <Button icon="stop" onPress={player.finish}>
        To the end
      </Button>
    );
  if (player)
    return (
      <>
        <Button icon="play" onPress={() => player.play('real')}>
          Replay
        </Button>
        <Button onPress={() => player.play('fast')}>Replay 10×</Button>
      </>
    );
  if (connection.is === 'gone') return <RunAgain />;
  return (
    <Button
      icon="stop"
      isPending={isStopping}
      pendingText="Stopping …"
      onPress={session.stop}
      aria-keyshortcuts="Escape"
    >
      Stop
    </Button>
  );
}
