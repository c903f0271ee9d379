import { useState } from 'react';
import { lazyPart } from '../../../loading/lazy-part';
import { Button } from '../../../ui/button';
import type { RunSettings } from './run-settings';

const PresetsDialog = lazyPart(() => import('./presets-dialog'), { waiting: null });

interface PresetsProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
}

/** Opens the set-ups that are saved under names. */
export function Presets({ settings, onChange }: PresetsProps) {
  const [isOpen, setOpen] = useState(false);
  const close = (): void => setOpen(false);
  return (
    <>
      <Button onPress={() => setOpen(true)}>Presets</Button>
      {isOpen && <PresetsDialog settings={settings} onChange={onChange} onClose={close} />}
    </>
  );
}
