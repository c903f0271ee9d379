import createClient from 'openapi-fetch';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { bodyOrThrow } from '../api/client';
import type { paths } from '../api/schema';
import { RunAsked } from '../pages/play/run-asked';
import RunView from '../pages/play/run-view';
import { asBody } from '../pages/play/setup/run-body';
import { AskedRunContext } from '../run/asked-run';
import type { RunRequest } from '../run/run-events';
import { runRequests } from '../run/run-requests';
import { createRunSession } from '../run/run-session';
import { createRunStore } from '../run/run-store';
import { RunContext } from '../run/use-run';
import { ErrorState } from '../ui/error-state';
import { Page } from '../ui/page';
import { Skeleton } from '../ui/skeleton';
import styles from './shared-page.module.css';

const NONE: readonly unknown[] = [];

/** A run for whoever has its link: to be read, and nothing else. */
export default function SharedPage({ token }: { readonly token: string }) {
  const [api] = useState(() => createClient<paths>({ baseUrl: location.origin }));
  const [store] = useState(() => createRunStore());
  const [session] = useState(() => createRunSession(runRequests(api), store));
  const state = useSyncExternalStore(session.subscribe, session.state);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const { prompt, request, events } = await bodyOrThrow(
        api.GET('/dashboard/shared/{id}', { params: { path: { id: token } } }),
      );
      const asked = request && { request: request as unknown as RunRequest };
      session.show({ prompt, events, evaluations: NONE, ...asked });
    };
    read().catch(setError);
  }, [api, session, token]);
  const { prompt, request } = state;
  const body = request && asBody(request);
  const question = body?.messages.at(-1)?.content ?? prompt;
  const asked = useMemo(
    () => (question === undefined ? undefined : { prompt: question, evaluations: NONE }),
    [question],
  );
  return (
    <main className={styles.shared}>
      <Page title="A shared run" lead="Somebody shared this run with you. You can read it, not change it." isWide>
        {error !== undefined && <ErrorState title="This run cannot be shown" error={error} />}
        {error === undefined && asked === undefined && <Skeleton label="Opening the run" rows={2} rowHeight="180px" />}
        {asked && (
          <RunContext value={store}>
            <AskedRunContext value={asked}>
              <RunAsked prompt={prompt} request={body} actions={undefined} />
              <RunView session={session} state={state} hasShortcuts={false} />
            </AskedRunContext>
          </RunContext>
        )}
      </Page>
    </main>
  );
}
