import * as z from 'zod';
import { refuse } from '../../errors';
import { list, mapOf, named, text } from '../../lib/reply-schemas';
import { accountRoute } from '../shared/operation';
import { jsonSchemaField, objectOf, plainText } from '../shared/schemas';

/** Far below what one document of Firestore holds. */
const MAX = { count: 50, bytes: 500_000 };

const NewPreset = objectOf({
  name: plainText({ rule: 'must be a string', blank: 'must not be blank', max: 80 }),
  setUp: jsonSchemaField(100_000).meta({
    additionalProperties: true,
    description: 'As whoever reads it back knows it.',
  }),
}).meta({ id: 'NewPreset' });
const PresetList = named('PresetList', () =>
  z.object({
    presets: list(z.object({ name: text('Its name.'), setUp: mapOf(z.unknown(), 'As it was saved.') }), 'By name.'),
  }),
);

const presets = '/dashboard/presets';

/** Set-ups of the playground that are saved under names. */
export const PRESET_OPERATIONS = [
  accountRoute({
    at: `GET ${presets}`,
    id: 'listPresets',
    summary: 'List the set-ups of runs that are saved',
    reply: PresetList,
    run: async ({ store }, { userId }) => ({ body: { presets: await store.listPresets(userId) } }),
  }),
  accountRoute({
    at: `PUT ${presets}`,
    id: 'savePreset',
    summary: 'Save a set-up of runs, in the place of that of its name',
    body: NewPreset,
    example: { name: 'Two of each', setUp: { strategy: 'expert_panel' } },
    reply: PresetList,
    run: async ({ store }, { userId }, preset) => {
      const isSaved = await store.savePreset(userId, preset, MAX);
      const full = `Invalid setUp: at most ${MAX.count} are saved, with ${MAX.bytes} bytes together`;
      return isSaved ? { body: { presets: await store.listPresets(userId) } } : refuse('invalid_request', full);
    },
  }),
  accountRoute({
    at: `DELETE ${presets}/{id}`,
    id: 'removePreset',
    summary: 'Remove one of them',
    resource: 'Its name.',
    reply: PresetList,
    run: async ({ store }, { userId, resourceId: name = '' }) => {
      const isRemoved = await store.removePreset(userId, name);
      return isRemoved ? { body: { presets: await store.listPresets(userId) } } : refuse('not_found', 'Unknown preset');
    },
  }),
];
