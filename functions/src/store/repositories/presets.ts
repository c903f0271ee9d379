import type { PresetStore } from '../../runs/preset-store';
import { change, type Documents, REMOVED, type Snapshot } from '../documents';
import { at, mapKey } from './refs';

/** Presets by their hashed names, each with its set-up as JSON: what is in it need not be fit for names of fields. */
interface StoredPresets {
  readonly presets?: Readonly<Record<string, { readonly name: string; readonly json: string }>>;
}

/** All presets of a user in one document at `users/{uid}/private/presets`. */
export function presetRepository(documents: Documents): PresetStore {
  return {
    listPresets: async (userId) => {
      const [stored] = await documents.get('listPresets', [presetsRef(userId)]);
      const presets = [...presetsOf(stored).values()].map(({ name, json }) => ({ name, setUp: JSON.parse(json) }));
      return presets.sort((a, b) => (a.name < b.name ? -1 : 1));
    },

    savePreset: (userId, { name, setUp }, max) =>
      documents.change('savePreset', {
        read: [presetsRef(userId)],
        decide: ([stored]) => {
          const preset = { name, json: JSON.stringify(setUp) };
          const all = [...presetsOf(stored).set(mapKey(name), preset).values()];
          const bytes = all.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0);
          if (all.length > max.count || bytes > max.bytes) return { result: false };
          return { result: true, writes: [change(stored, { [`presets.${mapKey(name)}`]: preset })] };
        },
      }),

    removePreset: (userId, name) => {
      let existed = false;
      return documents.change('removePreset', {
        read: [presetsRef(userId)],
        decide: ([stored]) => {
          if (!presetsOf(stored).has(mapKey(name))) return { result: existed };
          existed = true;
          return { result: true, writes: [change(stored, { [`presets.${mapKey(name)}`]: REMOVED })] };
        },
      });
    },
  };
}

const presetsOf = ({ fields }: Snapshot<StoredPresets>) => new Map(Object.entries(fields?.presets ?? {}));

const presetsRef = (userId: string) => at<StoredPresets>('users', userId, 'private', 'presets');
