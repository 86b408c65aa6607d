import { z } from 'zod';

/** Parts that clients go by; the rest is as OpenAPI 3.1 says. */
export const OpenApiDocument = z
  .looseObject({
    openapi: z.string().describe('Version of OpenAPI, 3.1 of any kind'),
    paths: z.record(z.string(), z.unknown()).describe('What each path takes and answers, by method'),
    components: z
      .object({ schemas: z.record(z.string(), z.unknown()).describe('JSON schemas by name') })
      .loose()
      .describe('What the paths refer to'),
  })
  .describe('Reply of GET /openapi.json: an OpenAPI 3.1 document');
export type OpenApiDocument = z.infer<typeof OpenApiDocument>;
