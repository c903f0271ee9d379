import { useState } from 'react';
import { lazyPart } from '../loading/lazy-part';
import { useAskedRun } from '../run/asked-run';
import { useRunStore } from '../run/use-run';
import { useHasRunLinks } from '../session/session-context';
import { Button } from '../ui/button';
import { saveFile } from '../ui/save-file';
import { runMarkdown } from './run-markdown';

const ShareRun = lazyPart(() => import('./share-run'), { waiting: null });

/** Saves a run as Markdown, and shares it. */
export function TakeRun() {
  const hasLinks = useHasRunLinks();
  const store = useRunStore();
  const { prompt = '', runId } = useAskedRun() ?? {};
  const [isSharing, setSharing] = useState(false);
  const save = (): void =>
    saveFile({ name: 'run.md', type: 'text/markdown', text: runMarkdown(store.latest(), prompt) });
  return (
    <>
      <Button icon="download" onPress={save}>
        Save run as Markdown
      </Button>
      {hasLinks && runId !== undefined && (
        <Button icon="external" onPress={() => setSharing(true)}>
          Share …
        </Button>
      )}
      {isSharing && runId !== undefined && <ShareRun id={runId} onClose={() => setSharing(false)} />}
    </>
  );
}
