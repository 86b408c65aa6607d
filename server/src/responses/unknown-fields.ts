import { z } from 'zod';

// Fields that a request holds and nobody knows are left out and named: those of its body, and of the objects in it that say how the answer is
// made. Source: decisions section 1, "Unknown fields".

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object that a field may be; null where it is none. */
function objectOf(schema: unknown): z.ZodObject | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return objectOf(schema.unwrap());
  return schema instanceof z.ZodObject ? schema : null;
}

const unknownIn = (value: Readonly<Record<string, unknown>>, { shape, def }: z.ZodObject): readonly string[] =>
  // A form that takes any field knows all of them.
  def.catchall instanceof z.ZodUnknown ? [] : Object.keys(value).filter((name) => !(name in shape));

export interface NamedWithin {
  /** Fields that are objects. */
  readonly objects: readonly string[];
  /** The form of a tool; null for one that is none. */
  readonly toolOf: (tool: Readonly<Record<string, unknown>>) => z.ZodObject | null;
}

/** Creates a function that names the unknown fields of a body: `reasoning.mode`, `tools.defer_loading`, each once. */
export function createUnknownFields(form: z.ZodObject, { objects, toolOf }: NamedWithin) {
  return (body: Readonly<Record<string, unknown>>): readonly string[] => {
    const within = objects.flatMap((name) => {
      const [value, schema] = [body[name], objectOf(form.shape[name])];
      return isObject(value) && schema !== null ? unknownIn(value, schema).map((field) => `${name}.${field}`) : [];
    });
    const { tools } = body;
    const ofTools = (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) => {
      const schema = isObject(tool) ? toolOf(tool) : null;
      return isObject(tool) && schema !== null ? unknownIn(tool, schema).map((field) => `tools.${field}`) : [];
    });
    return [...new Set([...unknownIn(body, form), ...within, ...ofTools])];
  };
}
