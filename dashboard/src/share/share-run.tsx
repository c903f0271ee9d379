import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api-context';
import { bodyOrThrow } from '../api/client';
import { useAction } from '../api/use-action';
import { Button } from '../ui/button';
import { CopyButton } from '../ui/copy-button';
import { Dialog, DialogActions } from '../ui/dialog';
import { ErrorState } from '../ui/error-state';
import { TextField } from '../ui/text-field';

const WORDS = {
  none: 'Whoever has the link can read this run without an account: what was asked, what was said before, the drafts, the answer and what it cost. Your name is not shown.',
  made: 'Copy the link now: it is not shown again. It works until you end it or delete the run.',
  earlier: 'There is a link to this run. It is not shown again; a new one ends it.',
};

/** Makes the link by which anybody reads a run, and ends it. */
export default function ShareRun({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const api = useApi();
  const [token, setToken] = useState<string>();
  const of = { params: { path: { id } } };
  const run = useQuery({
    queryKey: ['shared', id],
    queryFn: ({ signal }) => bodyOrThrow(api.GET('/dashboard/runs/{id}', { ...of, signal })),
    select: ({ shared }) => shared,
    gcTime: 0,
  });
  const change = useAction(async (isShared: boolean) => {
    const path = '/dashboard/runs/{id}/share';
    const link = await bodyOrThrow(isShared ? api.PUT(path, of) : api.DELETE(path, of));
    setToken(link.token);
    await run.refetch();
  });
  const stage = token !== undefined ? 'made' : run.data ? 'earlier' : 'none';
  const error = change.error ?? run.error ?? undefined;
  return (
    <Dialog title="Share this run" isOpen onClose={onClose}>
      <p>{WORDS[stage]}</p>
      {error !== undefined && <ErrorState title="That did not work" error={error} />}
      {token !== undefined && (
        <TextField label="Link" value={`${location.origin}/shared/${token}`} onChange={() => {}} isReadOnly />
      )}
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
        {stage !== 'none' && <Button onPress={() => void change.run(false)}>End the link</Button>}
        {token !== undefined ? (
          <CopyButton text={`${location.origin}/shared/${token}`} what="link" kind="primary" autoFocus />
        ) : (
          <Button kind="primary" onPress={() => void change.run(true)} isPending={change.isPending || run.isPending}>
            {stage === 'earlier' ? 'Make a new link' : 'Make a link'}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
