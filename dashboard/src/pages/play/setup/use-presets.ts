import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../../api/api-context';
import { bodyOrThrow, type Schema } from '../../../api/client';
import { useAction } from '../../../api/use-action';
import { settingsIn, setUpOf } from './kept-settings';
import { NEW_SETTINGS } from './run-settings';

const PRESETS_QUERY = ['presets'];

/** A set-up under a name. */
export interface Preset {
  readonly name: string;
  readonly setUp: ReturnType<typeof setUpOf>;
}

/** The saved set-ups, and how they are saved and deleted. */
export function usePresets() {
  const api = useApi();
  const queries = useQueryClient();
  const show = (now: Schema<'PresetList'>): void => void queries.setQueryData(PRESETS_QUERY, now);
  const { data, error, refetch } = useQuery({
    queryKey: PRESETS_QUERY,
    queryFn: () => bodyOrThrow(api.GET('/dashboard/presets')),
  });
  const saving = useAction(async ({ name, setUp }: Preset) => {
    show(await bodyOrThrow(api.PUT('/dashboard/presets', { body: { name, setUp: { ...setUp } } })));
    return true;
  });
  const removing = useAction(async ({ name: id }: Preset) => {
    show(await bodyOrThrow(api.DELETE('/dashboard/presets/{id}', { params: { path: { id } } })));
    return true;
  });
  const presets = (data?.presets ?? []).map(({ name, setUp }): Preset => {
    return { name, setUp: setUpOf({ ...NEW_SETTINGS, ...settingsIn(setUp) }) };
  });
  return { presets, error, refetch, saving, removing };
}
