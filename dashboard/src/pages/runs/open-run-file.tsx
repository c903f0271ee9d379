import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useLocation } from 'wouter';
import { putOpenedFile } from '../../run/opened-file';
import { readRunFile } from '../../run/run-file';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';

const BYTES_MAX = 64 * 1024 * 1024;

/** Opens a run from a file; nothing of it is sent to the server. */
export function OpenRunFile() {
  const [, navigate] = useLocation();
  const [flaw, setFlaw] = useState<string>();
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const run = file.size > BYTES_MAX ? 'This file is too large for a run.' : readRunFile(await file.text());
    if (typeof run === 'string') return setFlaw(run);
    putOpenedFile(run);
    navigate('/play/file');
  };
  return (
    <>
      <FileTrigger acceptedFileTypes={['application/json', '.json']} onSelect={(files) => void open(files?.[0])}>
        <Button>Open a file</Button>
      </FileTrigger>
      {flaw !== undefined && (
        <Dialog title="The file was not opened" isOpen onClose={() => setFlaw(undefined)}>
          <p>{flaw} A run is saved as a file from the list of runs.</p>
          <DialogActions>
            <Button onPress={() => setFlaw(undefined)} autoFocus>
              Close
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}
