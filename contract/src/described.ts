import { z } from 'zod';

/** An object schema that begins with its description, which the OpenAPI document shows. The build of the console leaves descriptions out. */
export const described = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);

/** A whole number among the parameters of an address. An empty one is refused, where a plain coercion takes it for 0. */
export const queryInt = (min: number, max: number) =>
  z.preprocess((given) => (given === '' ? NaN : given), z.coerce.number().int().min(min).max(max));

/** The same for what clients send in our own forms: a field that is nearly a known one is refused, others are ignored by the frame. */
export const describedStrictly = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.strictObject(shape).describe(description);
