import * as z from 'zod';
import { refuse } from '../../errors';
import { list, mapOf, named, text } from '../../lib/reply-schemas';
import { accountRoute } from '../shared/operation';
import { jsonSchemaField, objectOf, plainText } from '../shared/schemas';

const COUNT_MAX = 50;
/** Far below what one document of Firestore holds. */
const BYTES_MAX = 500_000;
const FULL = refuse('invalid_request', `Invalid setUp: at most ${COUNT_MAX} are saved, ${BYTES_MAX} bytes together`);

const NewPreset = objectOf({
  // No address ends in `..`: such a preset could not be removed.
  name: plainText({ rule: 'must be a string', blank: 'must not be blank', max: 80 }).regex(/[^.]/, 'must not be dots'),
  setUp: jsonSchemaField(100_000).meta({
    additionalProperties: true,
    description: 'As whoever reads it back knows it.',
  }),
}).meta({ id: 'NewPreset' });
const preset = () => z.object({ name: text('Its name.'), setUp: mapOf(z.unknown(), 'As it was saved.') });
const PresetList = named('PresetList', () => z.object({ presets: list(preset(), 'The newest first.') }));

/** Set-ups of the playground that are saved under names. */
export const PRESET_OPERATIONS = [
  accountRoute({
    at: 'GET /dashboard/presets',
    id: 'listPresets',
    summary: 'List the set-ups of runs that are saved',
    reply: PresetList,
    run: async ({ store }, { userId }) => ({ body: { presets: await store.listPresets(userId) } }),
  }),
  accountRoute({
    at: 'PUT /dashboard/presets',
    id: 'savePreset',
    summary: 'Save a set-up of runs, in the place of that of its name',
    body: NewPreset,
    example: { name: 'Two of each', setUp: { strategy: 'expert_panel' } },
    reply: PresetList,
    run: async ({ store }, { userId }, { name, setUp }) => {
      const presets = await store.changePresets(userId, (before) => {
        const all = [{ name, setUp }, ...before.filter((other) => other.name !== name)];
        return all.length > COUNT_MAX || Buffer.byteLength(JSON.stringify(all)) > BYTES_MAX ? undefined : all;
      });
      return presets ? { body: { presets } } : FULL;
    },
  }),
  accountRoute({
    at: 'DELETE /dashboard/presets/{id}',
    id: 'removePreset',
    summary: 'Remove one of them, where it is there',
    resource: 'Its name.',
    reply: PresetList,
    run: async ({ store }, { userId, resourceId }) => {
      const others = (await store.changePresets(userId, (all) => all.filter(({ name }) => name !== resourceId))) ?? [];
      return { body: { presets: others } };
    },
  }),
];
