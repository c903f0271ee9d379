import { useEffect, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { asBody, asRequest, bodyOf, type RunBody, settingsOf } from '../setup/run-body';
import { missingIn, type RunSettings } from '../setup/run-settings';
import type { PageSession } from '../use-session';
import { type AskedBody, nextRequest, setUpRequest } from './next-request';

/** The form for a run, and how its settings are changed. */
type Form = readonly [RunSettings, (settings: RunSettings) => void];

/** The ways to the next run of a page: from the form, or from the run that is shown, whose conversation then goes on. */
export function useNextRun({ session, store, state }: PageSession, [settings, change]: Form) {
  const { connection, request, runId } = state;
  const [, navigate] = useLocation();
  const [changing, setChanging] = useState<AskedBody & { readonly before: RunSettings }>();
  const changed = changing && changing.runId === runId ? changing : undefined;
  const body = useMemo(() => request && asBody(request), [request]);
  const setUp = (next: RunBody): void => {
    change(settingsOf(next));
    setChanging({ body: next, runId, before: changing?.before ?? settings });
  };
  /** The draft of a new run is what it was before. */
  const close = (): void => {
    if (changing) change(changing.before);
    setChanging(undefined);
  };
  const begin = (next: RunBody): void => {
    const given = settingsOf(next);
    if (given.lostFiles.length > 0 || missingIn(given) !== undefined) setUp(next);
    else {
      close();
      session.begin(asRequest(next));
    }
  };
  // What was refused stands in the form, to be sent once more; what came from the form is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each refusal
  useEffect(() => {
    const isThere = body && JSON.stringify(bodyOf(settings)) === JSON.stringify(bodyOf(settingsOf(body)));
    if (connection.is === 'refused' && body && !isThere) setUp(body);
  }, [connection, body]);
  const isOver = connection.is === 'over' || connection.is === 'gone';
  return {
    /** The request of the run that is shown, where it is from the playground. */
    body,
    conversation: body && { asked: { body, runId }, isOver, begin, setUp },
    /** True while the request of another run is changed in the form. */
    isChanging: changed !== undefined,
    run: () => begin(setUpRequest(changed, bodyOf(settings))),
    /** Goes on from the answer that is shown. */
    ask: (prompt: string): void => {
      if (body) begin(nextRequest({ body, runId }, store.latest().answer, prompt));
      else {
        change({ ...settings, prompt });
        navigate('/play');
      }
    },
    close,
  };
}
