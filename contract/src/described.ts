import { z } from 'zod';

/** An object schema that begins with its description, which the OpenAPI document shows. The build of the console leaves descriptions out. */
export const described = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  z.object(shape).describe(description);
