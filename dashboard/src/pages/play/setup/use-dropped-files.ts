import { useEffect, useRef, useState } from 'react';

/** Hands on files that are dropped or pasted anywhere on the page; true while some are dragged over it. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      // Else the browser would open the file in the place of the page.
      event.preventDefault();
      setOver(event.type === 'dragover');
      if (event.type === 'drop') latest.current([...event.dataTransfer.files]);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const paste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      // A spreadsheet copies its cells as a text and, beside it, as a picture.
      if (files.length === 0 || event.clipboardData?.types.includes('text/plain')) return;
      event.preventDefault();
      latest.current(files);
    };
    const listening = new AbortController();
    const { signal } = listening;
    addEventListener('dragover', over, { signal });
    addEventListener('drop', over, { signal });
    addEventListener('dragleave', leave, { signal });
    addEventListener('paste', paste, { signal });
    return () => listening.abort();
  }, []);
  return isOver;
}
