/*
 * Words for the schemas of replies. The compiler holds a handler to its reply's schema, and the document is made of it;
 * no reply is validated while it is sent.
 */
import * as z from 'zod';

/** Value that a handler may return for a schema; what is undefined is left out of the JSON. */
export type Sent<S extends z.ZodType> = Immutable<z.output<S>>;

type Immutable<T> = T extends object ? { readonly [Field in keyof T]: Immutable<T[Field]> } : T;

/** Schema that the document has once, under its name. Built when the document is. */
export function named<S extends z.ZodType>(id: string, build: () => S, description?: string): z.ZodLazy<S> {
  const schema = z.lazy(build);
  z.globalRegistry.add(schema, { id, ...(description !== undefined && { description }) });
  return schema;
}

export function text(description: string): z.ZodString {
  return note(z.string(), description);
}

export function moment(description: string): z.ZodString {
  return z.string().register(z.globalRegistry, { description, format: 'date-time' });
}

export function count(description: string): z.ZodNumber {
  return note(z.int().min(0), description);
}

export function amount(description: string): z.ZodNumber {
  return note(z.number().min(0), description);
}

export function flag(description: string): z.ZodBoolean {
  return note(z.boolean(), description);
}

/** A flag that may be `unknown`. */
export function ability(description: string) {
  return note(
    z.union([z.boolean(), z.literal('unknown')]),
    `${description} \`unknown\`: it is tried where it is asked for.`,
  );
}

export function oneOf<const Names extends readonly string[]>(names: Names, description: string) {
  return note(z.enum(names), description);
}

export function always<const Value extends string | number | boolean>(value: Value, description?: string) {
  return description === undefined ? z.literal(value) : note(z.literal(value), description);
}

export function list<Item extends z.ZodType>(item: Item, description: string): z.ZodArray<Item> {
  return note(z.array(item), description);
}

export function texts(description: string): z.ZodArray<z.ZodString> {
  return list(z.string(), description);
}

export function mapOf<Value extends z.ZodType>(value: Value, description: string): z.ZodRecord<z.ZodString, Value> {
  return note(z.record(z.string(), value), description);
}

function note<S extends z.ZodType>(schema: S, description: string): S {
  z.globalRegistry.add(schema, { description });
  return schema;
}
