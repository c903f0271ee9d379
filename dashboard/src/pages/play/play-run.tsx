import { useMemo } from 'react';
import { useLocation } from 'wouter';
import { retryOf } from '../../api/api-error';
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
import { Presets } from './setup/presets';
import { RunSetup } from './setup/run-setup';
import { useRunSettings } from './setup/use-run-settings';
import { ConversationContext } from './thread/use-conversation';
import { useNextRun } from './thread/use-next-run';
import { useRunRating } from './thread/use-run-rating';
import { Versions } from './thread/versions';
import { useSession } from './use-session';

interface PlayRunProps {
  /** The id of the run in the address. */
  readonly id: string | undefined;
  readonly hasShortcuts: boolean;
}

const loadRunView = () => import('./run-view');
const RunView = lazyPart(loadRunView, { waiting: <Skeleton label="Loading the run" rows={2} rowHeight="180px" /> });
const loadThread = () => import('./thread/thread-view');
const ThreadView = lazyPart(loadThread, { waiting: null });
const OtherStrategy = lazyPart(() => import('./thread/other-strategy'), {
  waiting: <Button isDisabled>Another strategy</Button>,
});
const UnderAnswer = lazyPart(() => import('./thread/under-answer'), { waiting: null });

const NONE: readonly unknown[] = [];

/** The form for the next run, and the run that is shown. */
export function PlayRun({ id, hasShortcuts }: PlayRunProps) {
  const page = useSession(id);
  const form = useRunSettings();
  const rating = useRunRating(page.state);
  const { body, conversation, isChanging, run, ask, close } = useNextRun(page, form);
  const [, navigate] = useLocation();
  const [settings, change] = form;
  const { session, store, state } = page;
  const { connection, prompt, runId, evaluations = NONE } = state;
  const question = body?.messages.at(-1)?.content ?? prompt;
  const asked = useMemo(
    () =>
      question === undefined ? undefined : { prompt: question, evaluations, ...(runId !== undefined && { runId }) },
    [question, evaluations, runId],
  );
  usePreloaded(loadRunView, [id, settings.prompt].some(Boolean));
  usePreloaded(loadThread, conversation?.isOver === true);
  const isNew = connection.is === 'none' || connection.is === 'refused';
  const isUnknown = connection.is === 'gone' && question === undefined;
  const goBack = (): void => {
    close();
    if (isNew && id !== undefined) session.open(id);
  };
  return (
    <RunContext value={store}>
      <AskedRunContext value={asked}>
        <ConversationContext value={conversation}>
          {connection.is === 'refused' && (
            <ErrorState title="The run did not start" error={connection.error} {...retryOf(connection.error, run)} />
          )}
          {connection.is === 'gone' && (
            <ErrorState
              title={isUnknown ? 'This run was not found' : 'The rest of this run cannot be shown'}
              error={connection.error}
            />
          )}
          {body && body.messages.length > 1 && <ThreadView />}
          {isNew || isChanging ? (
            <Panel
              title="Set up a run"
              actions={
                <div className="row">
                  {isChanging && id !== undefined && <Button onPress={goBack}>Back to the run</Button>}
                  <Presets settings={settings} onChange={change} />
                </div>
              }
            >
              <RunSetup settings={settings} onChange={change} onRun={run} />
            </Panel>
          ) : (
            question !== undefined && (
              <RunAsked
                prompt={prompt}
                request={body}
                isOver={connection.is === 'over' || connection.is === 'gone'}
                actions={
                  <>
                    {conversation && body && (
                      <Button onPress={() => conversation.setUp(body)}>Change and run again</Button>
                    )}
                    <OtherStrategy />
                    <Button onPress={() => navigate('/play')}>New run</Button>
                  </>
                }
              >
                <Versions id={runId} />
              </RunAsked>
            )
          )}
          {connection.is === 'opening' && <Skeleton label="Opening the run" rows={2} rowHeight="180px" />}
          {!isNew && !isUnknown && connection.is !== 'opening' && (
            <div className={styles.run}>
              <RunView session={session} state={state} hasShortcuts={hasShortcuts} onAsk={ask}>
                <UnderAnswer rating={rating} />
              </RunView>
            </div>
          )}
        </ConversationContext>
      </AskedRunContext>
    </RunContext>
  );
}
