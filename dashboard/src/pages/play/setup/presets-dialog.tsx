import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button as PresetButton } from 'react-aria-components';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow, type Schema } from '../../../api/client';
import { useAction } from '../../../api/use-action';
import { Button, IconButton } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { ErrorState } from '../../../ui/error-state';
import { TextField } from '../../../ui/text-field';
import { settingsIn, setUpOf } from './kept-settings';
import { NEW_SETTINGS, type RunSettings } from './run-settings';
import styles from './setup.module.css';
import { strategyLabel } from './strategies';
import { suggestedSettings, useSuggestions } from './use-suggestions';

const PRESETS_QUERY = ['presets'];
const NAME_CHARACTERS_MAX = 80;

type Preset = Schema<'PresetList'>['presets'][number];

interface PresetsDialogProps {
  readonly settings: RunSettings;
  readonly onChange: (settings: RunSettings) => void;
  readonly onClose: () => void;
}

/** The saved set-ups: one is used by a press, the present one is saved under a name. */
export default function PresetsDialog({ settings, onChange, onClose }: PresetsDialogProps) {
  const api = useApi();
  const queries = useQueryClient();
  const suggestions = useSuggestions();
  const [name, setName] = useState('');
  const [told, setTold] = useState('');
  const [removed, setRemoved] = useState<Preset>();
  const { data, error, refetch } = useQuery({
    queryKey: PRESETS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/presets')),
  });
  const show = (now: Schema<'PresetList'>): void => void queries.setQueryData(PRESETS_QUERY, now);
  const changing = useAction(async ({ name: title, setUp, isKept }: Preset & { readonly isKept: boolean }) => {
    if (isKept) show(await bodyOrThrow(api.PUT('/dashboard/presets', { body: { name: title, setUp } })));
    else show(await bodyOrThrow(api.DELETE('/dashboard/presets/{id}', { params: { path: { id: title } } })));
    setRemoved(isKept ? undefined : { name: title, setUp });
    setTold(isKept ? `“${title}” is saved.` : `“${title}” is deleted.`);
    if (isKept) setName('');
  });
  const presets = (data?.presets ?? []).map((preset) => {
    return { ...preset, setUp: setUpOf({ ...NEW_SETTINGS, ...settingsIn(preset.setUp) }) };
  });
  const rows = [
    {
      name: 'The suggested set-up',
      setUp: { ...setUpOf(NEW_SETTINGS), ...suggestedSettings(suggestions) },
      isOwn: false,
    },
    ...presets.map((preset) => ({ ...preset, isOwn: true })),
  ];
  const isThere = presets.some((preset) => preset.name === name.trim());
  return (
    <Dialog title="Presets" isOpen onClose={onClose}>
      <form
        className={styles.save}
        onSubmit={(event) => {
          event.preventDefault();
          void changing.run({ name: name.trim(), setUp: { ...setUpOf(settings) }, isKept: true });
        }}
      >
        <TextField
          label="Save the present set-up as"
          value={name}
          onChange={setName}
          maxLength={NAME_CHARACTERS_MAX}
          description="Strategy, panel, options and instructions, without prompt and files; kept with your account."
        />
        <Button type="submit" kind="primary" isPending={changing.isPending} isDisabled={name.trim() === ''}>
          {isThere ? 'Replace' : 'Save'}
        </Button>
      </form>
      {changing.error !== undefined && <ErrorState title="The presets were not changed" error={changing.error} />}
      {error && <ErrorState title="The presets could not be loaded" error={error} onRetry={() => void refetch()} />}
      <div className={styles.chips}>
        <span role="status" className={styles.soft}>
          {told}
        </span>
        {removed && (
          <Button kind="quiet" onPress={() => void changing.run({ ...removed, isKept: true })}>
            Undo
          </Button>
        )}
      </div>
      <ul aria-label="Set-ups to use" className={styles.models}>
        {rows.map(({ name: title, setUp, isOwn }) => (
          <li key={`${isOwn} ${title}`}>
            <PresetButton
              className={`${styles.model} ${styles.preset}`}
              onPress={() => {
                onChange({ ...settings, ...setUp });
                onClose();
              }}
            >
              <bdi>{title}</bdi>
              <span className={styles.soft}>{aboutSetUp(setUp)}</span>
            </PresetButton>
            {isOwn && (
              <IconButton
                icon="close"
                label={`Delete ${title}`}
                isDisabled={changing.isPending}
                onPress={() => void changing.run({ name: title, setUp: { ...setUp }, isKept: false })}
              />
            )}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function aboutSetUp({
  strategy,
  participants,
  rounds,
}: Pick<RunSettings, 'strategy' | 'participants' | 'rounds'>): string {
  if (strategy === 'single') return strategyLabel(strategy);
  const { length } = participants;
  const [seats, times] = [
    length === 1 ? '1 participant' : `${length} participants`,
    rounds === '1' ? '1 round' : `${rounds} rounds`,
  ];
  return [strategyLabel(strategy), seats, times].join(' · ');
}
