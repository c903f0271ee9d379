import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, use, useMemo, useState } from 'react';
import { RouterProvider } from 'react-aria-components';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ApiContext } from './api/api-context';
import { ApiError } from './api/api-error';
import type { Api } from './api/client';
import { useOwnKeptAlone } from './drafts/use-kept';
import { lazyPage, lazyPart } from './loading/lazy-part';
import { NotFoundPage } from './pages/not-found/not-found-page';
import type { Account, Session } from './session/session';
import { SessionContext, useConfirmation, useSignIn } from './session/session-context';
import styles from './shell/opening.module.css';
import { Shell } from './shell/shell';
import { ErrorState } from './ui/error-state';

const ComparePage = lazyPage(() => import('./pages/compare/compare-page'));
const KeysPage = lazyPage(() => import('./pages/keys/keys-page'));
const RunsPage = lazyPage(() => import('./pages/runs/runs-page'));
const ModelsPage = lazyPage(() => import('./pages/models/models-page'));
const PlayPage = lazyPage(() => import('./pages/play/play-page'));
const PlanPage = lazyPage(() => import('./pages/plan/plan-page'));
const StudyPage = lazyPage(() => import('./pages/study/study-page'));
const UsagePage = lazyPage(() => import('./pages/usage/usage-page'));
const SignInPage = lazyPart(() => import('./pages/sign-in/sign-in-page'), { of: 'page', waiting: <Opening /> });

const ConfirmDialog = lazyPart(() => import('./pages/sign-in/confirm-dialog'), { waiting: null });

const RETRIES_MAX = 2;
const FRESH_MS = 10_000;

interface AppProps {
  /** The sign-in, as soon as the server has said it; rejects with an `ApiError`. */
  readonly opening: Promise<Session>;
  readonly createApi: (session: Session) => Api;
}

/** The whole dashboard. */
export function App({ opening, createApi }: AppProps) {
  const [, navigate] = useLocation();
  const settled = useMemo(
    () =>
      opening.then(
        (session) => ({ session }),
        (error: ApiError) => ({ error }),
      ),
    [opening],
  );
  return (
    <RouterProvider navigate={navigate}>
      <Suspense fallback={<Opening />}>
        <Opened settled={settled} createApi={createApi} />
      </Suspense>
    </RouterProvider>
  );
}

interface OpenedProps {
  readonly settled: Promise<{ readonly session: Session } | { readonly error: ApiError }>;
  readonly createApi: AppProps['createApi'];
}

function Opened({ settled, createApi }: OpenedProps) {
  const result = use(settled);
  const api = useMemo(() => ('session' in result ? createApi(result.session) : undefined), [result, createApi]);
  if ('error' in result)
    return (
      <ErrorState title="The dashboard could not be opened" error={result.error} onRetry={() => location.reload()} />
    );
  return (
    <SessionContext value={result.session}>
      <ApiContext value={api}>
        <Pages />
      </ApiContext>
    </SessionContext>
  );
}

function Pages() {
  const signIn = useSignIn();
  useOwnKeptAlone();
  if (signIn.is === 'unknown') return <Opening />;
  if (signIn.is !== 'somebody') return <SignInPage signIn={signIn} />;
  return <SignedIn key={signIn.account.id} account={signIn.account} />;
}

/** The pages of one user; what was read for one is never shown to another. */
function SignedIn({ account }: { readonly account: Account }) {
  const [queries] = useState(createQueries);
  // Over any page, where what it asks for needs a recent sign-in.
  const confirmation = useConfirmation();
  return (
    <QueryClientProvider client={queries}>
      <Shell account={account}>
        <Switch>
          <Route path="/">
            <Redirect to="/play" replace />
          </Route>
          <Route path="/sign-in">
            <Redirect to="/play" replace />
          </Route>
          <Route path="/play/runs" component={RunsPage} />
          <Route path="/play/compare" component={ComparePage} />
          <Route path="/play/study" component={StudyPage} />
          <Route path="/play/:id?" component={PlayPage} />
          <Route path="/keys" component={KeysPage} />
          <Route path="/models" component={ModelsPage} />
          <Route path="/plan" component={PlanPage} />
          <Route path="/usage" component={UsagePage} />
          <Route component={NotFoundPage} />
        </Switch>
      </Shell>
      {confirmation && <ConfirmDialog confirmation={confirmation} />}
    </QueryClientProvider>
  );
}

/** The page until the server has said how its users sign in. */
function Opening() {
  return (
    <p className={styles.opening} role="status">
      Opening the dashboard …
    </p>
  );
}

/** Queries: what the server refuses is not asked again; what it could not do is, twice. */
function createQueries(): QueryClient {
  const retry = (failures: number, error: unknown): boolean => {
    const status = error instanceof ApiError ? error.status : 0;
    return failures < RETRIES_MAX && (status === 0 || status >= 500);
  };
  return new QueryClient({ defaultOptions: { queries: { retry, staleTime: FRESH_MS }, mutations: { retry: false } } });
}
