import * as z from 'zod';
import { firstFlaw, withForm } from '../../shared/schemas';

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
      return success ? data : firstFlaw(error, context);
    }
    const other = otherwise(typeof type === 'string' ? type : '');
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
