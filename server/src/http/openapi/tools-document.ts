import type { OpenApiDocument } from '@ai-studio/contract/openapi.ts';
import type { PublicRoute, WireForm } from '../../http-kit/public-route.ts';
import { documentedPaths, jsonSchemaOf, schemaOf } from './document.ts';

/** JSON by a form, spelled out: not every maker of tools follows references. */
const content = (form: WireForm, io: 'input' | 'output') => ({
  'application/json': { schema: jsonSchemaOf(schemaOf(form), io) },
});

function operationOf({ tool, summary, description, body, reply, example }: PublicRoute): object {
  const sent = body === undefined ? undefined : { ...content(body, 'input') };
  if (sent && example) Object.assign(sent['application/json'], { example });
  return {
    operationId: tool,
    summary,
    description,
    ...(sent ? { requestBody: { required: true, content: sent } } : {}),
    responses: { 200: { description: 'OK', ...(reply ? { content: content(reply, 'output') } : {}) } },
  };
}

/** The endpoints that models call as tools, and nothing else: what reads it offers all of it to a model. Source: OpenAPI 3.1. */
export function toolsDocument(version: string, address: string, routes: readonly PublicRoute[]): OpenApiDocument {
  const tools = routes.filter(({ tool }) => tool !== undefined);
  return {
    openapi: '3.1.0',
    info: {
      title: 'AI Studio',
      version,
      description: 'Search in the documents of this organisation, reading of files, and masking of personal values.',
    },
    servers: [{ url: address }],
    security: [{ apiKey: [] }],
    paths: Object.fromEntries(
      tools.map((route) => [documentedPaths(route)[0] ?? '', { [route.method.toLowerCase()]: operationOf(route) }]),
    ),
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer KEY' } },
      schemas: {},
    },
  };
}
