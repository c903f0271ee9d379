import type { Preset, PresetStore } from '../../runs/preset-store';
import { change, type Documents, type Snapshot } from '../documents';
import { at } from './refs';

/** All presets of a user as JSON, at `users/{uid}/private/presets`: what is in them need not be fit for names of fields. */
export function presetRepository(documents: Documents): PresetStore {
  return {
    listPresets: async (userId) => {
      const [stored] = await documents.get('listPresets', [presetsRef(userId)]);
      return presetsOf(stored);
    },

    changePresets: (userId, next) =>
      documents.change('changePresets', {
        read: [presetsRef(userId)],
        decide: ([stored]) => {
          const presets = next(presetsOf(stored));
          return { result: presets, writes: presets ? [change(stored, { presets: JSON.stringify(presets) })] : [] };
        },
      }),
  };
}

function presetsOf({ fields }: Snapshot<{ readonly presets?: string }>): readonly Preset[] {
  return JSON.parse(fields?.presets ?? '[]');
}

const presetsRef = (userId: string) => at<{ readonly presets?: string }>('users', userId, 'private', 'presets');
