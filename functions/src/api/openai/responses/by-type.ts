import * as z from 'zod';
import { withForm } from '../../shared/schemas';

/** Characters of a client's own words that an error repeats at most. */
const ECHO_CHARACTERS_MAX = 50;

/** Reads an object by the schema that its `type` names; `otherwise` has words for what is wrong with others, or a value. */
export function byType<T>(
  schemas: Readonly<Record<string, z.ZodType<T>>>,
  otherwise: (type: string) => { readonly wrong: string } | { readonly read: T },
  typeless = '',
) {
  const schema = z.unknown().transform((value, context): T => {
    const { type: said } = (value ?? {}) as { readonly type?: unknown };
    const type = said ?? typeless;
    const known = typeof type === 'string' && Object.hasOwn(schemas, type) ? schemas[type] : undefined;
    if (known) {
      const { success, data, error } = known.safeParse(value);
      if (success) return data;
      const { path = [], message = '' } = error.issues[0] ?? {};
      context.addIssue({ code: 'custom', path: [...path], message });
      return z.NEVER;
    }
    const other = otherwise(typeof type === 'string' ? type.slice(0, ECHO_CHARACTERS_MAX) : '');
    if ('read' in other) return other.read;
    context.addIssue({ code: 'custom', path: ['type'], message: other.wrong });
    return z.NEVER;
  });
  return withForm(schema, (jsonOf) => ({
    anyOf: Object.entries(schemas).map(([type, each]) => {
      const { properties = {}, ...form } = jsonOf(each);
      return { ...form, properties: { type: { const: type }, ...(properties as object) } };
    }),
  }));
}
