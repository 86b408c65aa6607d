import { z } from 'zod';
import type { ConsoleHouse } from '../support/console.ts';
import type { Kind } from './estate.ts';

/** A JSON schema, as far as values are made from it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema | boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly format?: string;
}

/** One method of one address, as it is declared. */
export interface Operation {
  readonly door: 'public' | 'console';
  readonly method: string;
  /** With parts in braces, whole: `/v1/rag42/chunks/{chunk_id}`, `/console/api/keys/{id}`. */
  readonly path: string;
  /** What stands in each part of the path; null for numbers. */
  readonly parts: readonly { readonly name: string; readonly kind: PartKind }[];
  readonly query: Readonly<Record<string, JsonSchema>>;
  readonly takes: 'json' | 'form' | 'file' | 'nothing';
  readonly body: JsonSchema | null;
  readonly example: unknown;
  /** What its document says of its failures; null where it has none. */
  readonly declared: {
    readonly failures: ReadonlyMap<number, JsonSchema>;
    /** The components of the document. */
    readonly document: object;
  } | null;
  /** Resolves `$ref`s of its schemas. */
  readonly resolve: (ref: string) => JsonSchema;
}

/** Besides what a tenant has: the models, model files, model servers and opened hosts of the installation, and numbers. */
export type PartKind = Kind | 'model' | 'weights' | 'modelServer' | 'openedHost' | 'number';

/** What the parts of an address are, by the address up to the part; the first line that fits counts. */
const partKinds: readonly (readonly [RegExp, PartKind])[] = [
  [/collections\/\{\w+\}\/evaluation\/questions\/$/, 'question'],
  [/collections\/\{\w+\}\/evaluation\/runs\/$/, 'evaluation'],
  [/\/extractions\/$/, 'extraction'],
  [/\/connectors\/$/, 'connector'],
  [/\/chunks\/$/, 'chunk'],
  [/\/documents\/$/, 'document'],
  [/\/collections\/$/, 'collection'],
  [/\/v1\/document\/$/, 'parse'],
  [/\/v1\/(?:status\/poll|result)\/$/, 'parse'],
  [/\/v1\/responses\/$/, 'response'],
  [/\/v1\/files\/$/, 'storedFile'],
  [/\/deployed-agents\/\{\w+\}\/runs\/\{\w+\}\/files\/$/, 'chatFile'],
  [/\/runs\/\{\w+\}\/files\/$/, 'file'],
  [/\/batches\/$/, 'batch'],
  [/\/external\/agents\/v2\/$/, 'slug'],
  [/\/a2a\/v1\/tasks\/$/, 'task'],
  // Callers choose it, each task for itself.
  [/\/pushNotificationConfigs\/$/, 'number'],
  [/\/v1\/conversations\/\{\w+\}\/items\/$/, 'conversationItem'],
  [/\/v1\/conversations\/$/, 'responseConversation'],
  [/\/v1\/models\/$/, 'model'],
  [/\/external\/agents\/$/, 'slug'],
  [/\/deployed-agents\/$/, 'slug'],
  [/\/agents\/$/, 'agent'],
  [/\/versions\/$/, 'version'],
  [/\/deployed-agents\/\{\w+\}\/runs\/$/, 'chatRun'],
  [/\/deployed-agents\/\{\w+\}\/sessions\/$/, 'chatSession'],
  [/\/runs\/$/, 'run'],
  [/\/me\/sessions\/$/, 'session'],
  [/\/sessions\/$/, 'agentSession'],
  [/\/passkeys\/$/, 'passkey'],
  [/\/users\/$/, 'person'],
  [/\/tenants\/$/, 'tenant'],
  [/\/keys\/$/, 'key'],
  [/\/conversations\/$/, 'conversation'],
  [/\/parser\/$/, 'parserDocument'],
  [/\/agent-servers\/$/, 'toolServer'],
  [/\/servers\/$/, 'modelServer'],
  [/\/opened-hosts\/$/, 'openedHost'],
  [/\/weights\/$/, 'weights'],
  [/\/api\/models\/$/, 'model'],
  [/\/chat-tokenize\/$/, 'model'],
  [/conversations\/\{\w+\}\/messages\/$/, 'message'],
  [/\/(?:conversation-shares|shared-conversations)\/$/, 'share'],
  [/\/conversation-files\/$/, 'picture'],
  [/\/conversation-folders\/$/, 'folder'],
  [/\/prompts\/$/, 'prompt'],
  [/\/samples\/$/, 'number'],
  [/\/(?:pages|blocks|sources)\/$/, 'number'],
];

/** The parts of an address. Throws where nobody has said what one of them is: a new kind of id needs a line above. */
function partsOf(path: string): Operation['parts'] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(({ 1: name = '', index }) => {
    const found = partKinds.find(([before]) => before.test(path.slice(0, index)));
    if (found === undefined) throw new Error(`Nobody has said what {${name}} of ${path} is: see operations.ts`);
    return { name, kind: found[1] };
  });
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema } | undefined>>;

interface Described {
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: JsonSchema }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown } | undefined>>;
  };
}
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** The schemas of the failures that are declared, by their status. */
const failuresOf = ({ responses }: Described): ReadonlyMap<number, JsonSchema> =>
  new Map(
    Object.entries(responses).flatMap(([status, { content }]) => {
      const schema = content?.['application/json']?.schema;
      return Number(status) >= 400 && schema ? [[Number(status), schema] as const] : [];
    }),
  );

/** What the public interface declares, in the document that a test holds against its routes. */
async function publicOperations({ base }: ConsoleHouse): Promise<Operation[]> {
  const { paths, components } = (await (await fetch(`${base}/openapi.json`)).json()) as OpenApi;
  const resolve = (ref: string) => components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
      const { parameters = [], requestBody } = described;
      const json = requestBody?.content['application/json'];
      const form = requestBody?.content['multipart/form-data'];
      const query = parameters.filter((one) => one.in === 'query').map(({ name, schema }) => [name, schema]);
      return {
        door: 'public',
        method: method.toUpperCase(),
        path,
        parts: partsOf(path),
        query: Object.fromEntries(query) as Operation['query'],
        takes: json ? 'json' : form ? 'form' : 'nothing',
        body: json?.schema ?? form?.schema.allOf?.[1] ?? null,
        example: json?.example,
        declared: { failures: failuresOf(described), document: components },
        resolve,
      };
    }),
  );
}

const schemaOf = (type: z.ZodType | undefined): JsonSchema | null =>
  type === undefined ? null : (z.toJSONSchema(type, { io: 'input', unrepresentable: 'any' }) as JsonSchema);

/** Routes of the console's own interface. */
const consoleOperations = ({ node }: ConsoleHouse): Operation[] =>
  node.consoleRoutes.map(({ method, path: plain, body, query, takesFile }): Operation => {
    const path = `/console/api${plain.replaceAll(/:(\w+)/g, '{$1}')}`;
    const schema = schemaOf(body);
    const defs = (schema as { $defs?: Readonly<Record<string, JsonSchema>> } | null)?.$defs ?? {};
    return {
      door: 'console',
      method,
      path,
      parts: partsOf(path),
      query: schemaOf(query)?.properties ?? {},
      takes: takesFile ? 'file' : schema ? 'json' : 'nothing',
      body: schema,
      example: undefined,
      declared: null,
      resolve: (ref) => (ref === '#' ? (schema ?? {}) : (defs[ref.split('/').at(-1) ?? ''] ?? {})),
    };
  });

/** Everything that this service declares, public and of the console. */
export async function operationsOf(house: ConsoleHouse): Promise<readonly Operation[]> {
  return [...(await publicOperations(house)), ...consoleOperations(house)];
}

export const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
