import { z } from 'zod';

/** An object schema that begins with its description, which the OpenAPI document shows. The build of the console leaves descriptions out. */
export const described = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);

/** The same for what clients send in our own forms: a field that is not known is refused, as it may be a known one that is misspelt. */
export const describedStrictly = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.strictObject(shape).describe(description);
