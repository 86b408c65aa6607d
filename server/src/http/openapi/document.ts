import { SpeechRequest, Transcription, TranscriptionFields } from '@ai-studio/contract/audio.ts';
import { ChatChunk } from '@ai-studio/contract/chat/chunk.ts';
import { ChatReply } from '@ai-studio/contract/chat/reply.ts';
import { ChatRequest } from '@ai-studio/contract/chat/request.ts';
import { CompletionReply, CompletionRequest } from '@ai-studio/contract/completions.ts';
import { EmbeddingsReply, EmbeddingsRequest } from '@ai-studio/contract/embeddings.ts';
import { EnvelopeError, envelope } from '@ai-studio/contract/envelope.ts';
import { OpenAiError } from '@ai-studio/contract/errors.ts';
import { Model, ModelList } from '@ai-studio/contract/models.ts';
import { RerankReply, RerankRequest } from '@ai-studio/contract/rerank.ts';
import {
  DocumentAccepted,
  DocumentContent,
  DocumentContentQuery,
  DocumentParseFields,
  ParsedDocument,
} from '@ai-studio/contract/utilities/document.ts';
import {
  PiiMaskRequest,
  PiiMaskResult,
  PiiUnmaskRequest,
  PiiUnmaskResult,
} from '@ai-studio/contract/utilities/privacy.ts';
import { z } from 'zod';
import { agentSchemas } from './agents.ts';
import { type SchemaName, operations } from './operations.ts';
import { retrievalSchemas } from './retrieval.ts';

/** Every wire form by the name that the document gives it. */
const schemas = {
  ChatRequest: [ChatRequest, 'input'],
  ChatReply: [ChatReply, 'output'],
  ChatChunk: [ChatChunk, 'output'],
  CompletionRequest: [CompletionRequest, 'input'],
  CompletionReply: [CompletionReply, 'output'],
  EmbeddingsRequest: [EmbeddingsRequest, 'input'],
  EmbeddingsReply: [EmbeddingsReply, 'output'],
  RerankRequest: [RerankRequest, 'input'],
  RerankReply: [RerankReply, 'output'],
  Model: [Model, 'output'],
  ModelList: [ModelList, 'output'],
  PiiMaskRequest: [PiiMaskRequest, 'input'],
  PiiMaskReply: [envelope(PiiMaskResult), 'output'],
  PiiUnmaskRequest: [PiiUnmaskRequest, 'input'],
  PiiUnmaskReply: [envelope(PiiUnmaskResult), 'output'],
  TranscriptionFields: [TranscriptionFields, 'input'],
  Transcription: [Transcription, 'output'],
  SpeechRequest: [SpeechRequest, 'input'],
  DocumentParseFields: [DocumentParseFields, 'input'],
  DocumentParseReply: [envelope(ParsedDocument), 'output'],
  DocumentAcceptedReply: [envelope(DocumentAccepted), 'output'],
  DocumentContentQuery: [DocumentContentQuery, 'input'],
  DocumentContentReply: [envelope(DocumentContent), 'output'],
  ...retrievalSchemas,
  ...agentSchemas,
  EnvelopeError: [EnvelopeError, 'output'],
  Error: [OpenAiError, 'output'],
} as const satisfies Record<SchemaName, readonly [z.ZodType, 'input' | 'output']>;

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });

const errors: Record<number, string> = {
  400: 'The request is wrong; `param` names the field',
  401: 'The API key is missing or not valid',
  403: 'The key may not do this',
  404: 'There is no such thing',
  409: 'Something else is being done with it',
  413: 'The body is too large',
  415: 'The body is of another type',
  422: 'The document cannot be read, or the policy refuses what the request holds; the message says why',
  429: 'The rate limit is reached; `Retry-After` says for how long',
  500: 'Internal server error',
  503: 'The model is not available at the moment',
  504: 'A time limit ran out',
};

const rateLimitHeaders = {
  'X-Request-Id': { schema: { type: 'string' }, description: 'Stands in every log line of the request' },
  'X-RateLimit-Limit': { schema: { type: 'integer' } },
  'X-RateLimit-Remaining': { schema: { type: 'integer' } },
  'X-RateLimit-Reset': { schema: { type: 'integer' }, description: 'Seconds until the window starts anew' },
};

/** A form with a file and these fields. */
const formOf = (name: SchemaName) => ({
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        allOf: [
          { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
          ref(name),
        ],
      },
    },
  },
});

/** Parameters of the address, one for each field. */
function queryOf(name: SchemaName): object[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schemas[name][0], { io: 'input' });
  return Object.entries(properties).map(([field, schema]) => ({
    name: field,
    in: 'query',
    required: required.includes(field),
    schema,
  }));
}

function operationOf(path: string, operation: (typeof operations)[number]): [string, object] {
  const { method, summary, description, tag, request, form, reply, stream, media, example, statuses, open } = operation;
  const failure = operation.failure ?? (operation.envelope ? 'EnvelopeError' : 'Error');
  const content: Record<string, object> = {};
  if (reply) content['application/json'] = { schema: ref(reply) };
  for (const type of media ?? []) content[type] = { schema: { type: 'string' } };
  if (stream) content['text/event-stream'] = { schema: ref(stream) };
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    })),
    ...(operation.query ? queryOf(operation.query) : []),
  ];
  return [
    method,
    {
      summary,
      description,
      tags: [tag],
      operationId: `${method}${path.replace(/[^a-z]+(\w)/gi, (_, c: string) => c.toUpperCase()).replace(/[^a-zA-Z]/g, '')}`,
      ...(open ? { security: [] } : {}),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(request
        ? {
            requestBody: {
              required: true,
              content: { 'application/json': { schema: ref(request), ...(example ? { example } : {}) } },
            },
          }
        : {}),
      ...(form ? { requestBody: formOf(form) } : {}),
      responses: {
        200: {
          description: 'OK',
          ...(open ? {} : { headers: rateLimitHeaders }),
          ...(Object.keys(content).length > 0 ? { content } : {}),
        },
        ...Object.fromEntries(
          statuses.map((status) => [
            status,
            { description: errors[status] ?? '', content: { 'application/json': { schema: ref(failure) } } },
          ]),
        ),
      },
    },
  ];
}

/** The OpenAPI 3.1 description of the public interface, made from the schemas that check requests. */
export function openApiDocument(version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, object>> = {};
  for (const operation of operations) {
    for (const path of operation.paths) {
      const [method, described] = operationOf(path, operation);
      (paths[path] ??= {})[method] = described;
    }
  }
  const components = Object.fromEntries(
    Object.entries(schemas).map(([name, [schema, io]]) => {
      const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
      return [name, json];
    }),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'AI Studio',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description: 'Language models behind one HTTP interface. Every path under /v1 is served under /api/v1 as well.',
    },
    servers: [{ url: '/' }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer KEY' } },
      schemas: components,
    },
  };
}
