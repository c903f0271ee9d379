import { useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { lazyPart } from '../../loading/lazy-part';
import { usePreloaded } from '../../loading/use-preloaded';
import { AskedRunContext } from '../../run/asked-run';
import { RunContext } from '../../run/use-run';
import { Button } from '../../ui/button';
import { ErrorState } from '../../ui/error-state';
import { Panel } from '../../ui/page';
import { Skeleton } from '../../ui/skeleton';
import styles from './play.module.css';
import { RunAsked } from './run-asked';
import { asBody, asRequest, bodyOf, continued, settingsOf } from './setup/run-body';
import type { RunSettings } from './setup/run-settings';
import { RunSetup } from './setup/run-setup';
import { useRunSettings } from './setup/use-run-settings';
import { useSession } from './use-session';

interface PlayRunProps {
  /** The id of the run in the address. */
  readonly id: string | undefined;
  readonly hasShortcuts: boolean;
}

const loadRunView = () => import('./run-view');
const RunView = lazyPart(loadRunView, { waiting: <Skeleton label="Loading the run" rows={2} rowHeight="180px" /> });

const NONE: readonly unknown[] = [];

/** The form for the next run, and the run that is shown. */
export function PlayRun({ id, hasShortcuts }: PlayRunProps) {
  const { session, store, state } = useSession(id);
  const [settings, change] = useRunSettings();
  const [isChanging, setChanging] = useState(false);
  const [, navigate] = useLocation();
  const { connection, prompt, request, runId, evaluations = NONE } = state;
  const body = request && asBody(request);
  const question = prompt ?? body?.messages.at(-1)?.content;
  const asked = useMemo(
    () =>
      question === undefined ? undefined : { prompt: question, evaluations, ...(runId !== undefined && { runId }) },
    [question, evaluations, runId],
  );
  usePreloaded(loadRunView, [id, settings.prompt].some(Boolean));
  const isNew = connection.is === 'none' || connection.is === 'refused';
  const run = (next: RunSettings): void => {
    setChanging(false);
    session.begin(asRequest(bodyOf(next)));
  };
  const ask = (prompt: string): void => {
    if (!body) return;
    const next = continued(settingsOf(body), store.latest().answer, prompt);
    change(next);
    run(next);
  };
  const changeThis = (): void => {
    if (body) change(settingsOf(body));
    setChanging(true);
  };
  return (
    <RunContext value={store}>
      <AskedRunContext value={asked}>
        {connection.is === 'refused' && <ErrorState title="The run was not begun" error={connection.error} />}
        {connection.is === 'gone' && (
          <ErrorState title="This run cannot be shown any further" error={connection.error} />
        )}
        {isNew || isChanging ? (
          <Panel title="Set up a run">
            <RunSetup settings={settings} onChange={change} onRun={() => run(settings)} />
          </Panel>
        ) : (
          (body ?? prompt) !== undefined && (
            <RunAsked
              prompt={prompt}
              request={body}
              actions={
                connection.is === 'over' || connection.is === 'gone' ? (
                  <>
                    {body && <Button onPress={changeThis}>Change and run again</Button>}
                    <Button onPress={() => navigate('/play')}>New run</Button>
                  </>
                ) : undefined
              }
            />
          )
        )}
        {connection.is === 'opening' && <Skeleton label="Opening the run" rows={2} rowHeight="180px" />}
        {!isNew && connection.is !== 'opening' && (
          <div className={styles.run}>
            <RunView session={session} state={state} hasShortcuts={hasShortcuts} onAsk={ask} />
          </div>
        )}
      </AskedRunContext>
    </RunContext>
  );
}
