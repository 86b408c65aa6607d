import { MAX_PARAMETERS, MAX_TOOLS } from '../limits.ts';
import { plainName, uniqueNames } from '../names.ts';
import type { ToolParameters } from '../tool.ts';
import {
  type Fields,
  type ServiceDescription,
  DescriptionError,
  isFields,
  listIn,
  readDescription,
  resolveReference,
  textIn,
} from './document.ts';
import { SchemaInliner } from './schema.ts';

export const places = ['path', 'query', 'header', 'cookie'] as const;
type Place = (typeof places)[number];

/** How one argument is written into a request. */
export interface HttpParameter {
  /** Of the argument. */
  readonly argument: string;
  /** Of the parameter. */
  readonly name: string;
  readonly in: Place;
  readonly style: string;
  readonly explode: boolean;
  /** Written as JSON, since the description says so. */
  readonly json: boolean;
  readonly allowReserved: boolean;
}

/** How a call becomes a request. */
export interface HttpOperation {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** With places for parameters: `/users/{id}`. */
  readonly path: string;
  readonly parameters: readonly HttpParameter[];
  /** Of the argument `body`; null where there is none. */
  readonly body: 'json' | 'form' | null;
}

/** An operation as a tool. */
export interface HttpTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly operation: HttpOperation;
}

/** What a description offers. */
export interface Service {
  /** Address of its first server; null where it names none. May be relative to where the description was found. */
  readonly baseUrl: string | null;
  readonly tools: readonly HttpTool[];
  /** Operations that cannot be called from here, by name. */
  readonly leftOut: readonly string[];
}

const methods = ['get', 'post', 'put', 'patch', 'delete', 'options'] as const;
const MAX_DESCRIPTION_LENGTH = 4_000;
/** Headers that say how a request is sent, or who sends it. Source: OpenAPI 3.1.1, 4.8.12.1, and RFC 9110. */
const OWN_HEADERS =
  /^(accept|accept-encoding|idempotency-key|content-type|authorization|host|connection|content-length|transfer-encoding|cookie|te|upgrade|trailer|keep-alive|proxy-.*|expect)$/i;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const standardStyle: Readonly<Record<Place, string>> = {
  path: 'simple',
  query: 'form',
  header: 'simple',
  cookie: 'form',
};

interface Parameter {
  readonly place: Place;
  readonly fields: Fields;
}

/** The parameters of a path and an operation; those of the operation count. */
function parametersOf(description: ServiceDescription, lists: readonly unknown[]): readonly Parameter[] {
  const found = new Map<string, Parameter>();
  for (const list of lists)
    for (const one of listIn(list)) {
      const fields = resolveReference(description, one);
      const place = places.find((name) => name === fields?.['in']);
      if (fields === undefined || place === undefined || textIn(fields['name']) === '') continue;
      if (place === 'header' && (OWN_HEADERS.test(textIn(fields['name'])) || !HEADER_NAME.test(textIn(fields['name']))))
        continue;
      found.set(`${place} ${textIn(fields['name'])}`, { place, fields });
    }
  return [...found.values()];
}

/** The body that is sent, or why none can be. */
function bodyOf(description: ServiceDescription, given: unknown) {
  if (given === undefined) return { kind: null, schema: undefined, required: false, description: '' } as const;
  const body = resolveReference(description, given);
  const content = Object.entries(isFields(body?.['content']) ? body['content'] : {});
  const required = body?.['required'] === true;
  const about = textIn(body?.['description']);
  const of = (pattern: RegExp) => content.find(([type]) => pattern.test(type))?.[1];
  const json = of(/^application\/([\w.+-]+\+)?json\b/i) ?? of(/^\*\/\*$/);
  if (json !== undefined) return { kind: 'json', schema: schemaIn(json), required, description: about } as const;
  const form = of(/^application\/x-www-form-urlencoded\b/i);
  if (form !== undefined) return { kind: 'form', schema: schemaIn(form), required, description: about } as const;
  return { kind: required ? 'unknown' : null, schema: undefined, required: false, description: '' } as const;
}
const schemaIn = (media: unknown) => (isFields(media) ? media['schema'] : undefined);

/** A parameter's schema, which may stand in its content. */
function parameterSchema({ fields }: Parameter): { readonly schema: unknown; readonly json: boolean } {
  if (!isFields(fields['content'])) return { schema: fields['schema'], json: false };
  return { schema: schemaIn(Object.values(fields['content'])[0]), json: true };
}

interface Written {
  readonly tool: Omit<HttpTool, 'name'>;
  readonly name: string;
}

function operationOf(
  description: ServiceDescription,
  {
    path,
    method,
    item,
    operation,
  }: { path: string; method: (typeof methods)[number]; item: Fields; operation: Fields },
): Written | null {
  const body = bodyOf(description, operation['requestBody']);
  if (body.kind === 'unknown') return null;
  const maker = new SchemaInliner(description);
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const written: HttpParameter[] = [];
  const all = parametersOf(description, [item['parameters'], operation['parameters']]);
  const add = (argument: string, schema: unknown, about: string, must: boolean) => {
    const made = maker.inline(schema);
    properties[argument] = isFields(made) && about !== '' ? { ...made, description: about.slice(0, 1_000) } : made;
    if (must) required.push(argument);
  };
  for (const parameter of all) {
    const { place, fields } = parameter;
    const name = textIn(fields['name']);
    const taken = Object.hasOwn(properties, name) || (name === 'body' && body.kind !== null);
    const argument = taken ? `${place}_${name}` : name;
    const style = textIn(fields['style']) || standardStyle[place];
    const { schema, json } = parameterSchema(parameter);
    const explode = typeof fields['explode'] === 'boolean' ? fields['explode'] : style === 'form';
    const allowReserved = fields['allowReserved'] === true;
    written.push({ argument, name, in: place, style, explode, json, allowReserved });
    add(argument, schema, textIn(fields['description']), fields['required'] === true || place === 'path');
  }
  // A place in the path that nothing describes cannot be filled.
  const filled = new Set(written.filter((one) => one.in === 'path').map(({ name }) => name));
  if ([...path.matchAll(/\{([^{}]*)\}/g)].some(([, name = '']) => !filled.has(name))) return null;
  if (body.kind !== null) add('body', body.schema ?? {}, body.description, body.required);
  const parameters = {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
  if (JSON.stringify(parameters).length > MAX_PARAMETERS) return null;
  const texts = [textIn(operation['summary']), textIn(operation['description'])].filter((text) => text !== '');
  return {
    name: plainName(textIn(operation['operationId'])) || plainName(`${method}_${path}`).replaceAll(/_+/g, '_'),
    tool: {
      description:
        texts.join('\n').slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed() || `${method.toUpperCase()} ${path}`,
      parameters,
      operation: {
        method: method.toUpperCase() as HttpOperation['method'],
        path,
        parameters: written,
        body: body.kind,
      },
    },
  };
}

/** The address of the first server, its variables filled. */
function baseOf({ root }: ServiceDescription): string | null {
  const [server] = listIn(root['servers']);
  if (!isFields(server)) return null;
  const variables = isFields(server['variables']) ? server['variables'] : {};
  return textIn(server['url']).replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => {
    const variable = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return isFields(variable) ? textIn(variable['default']) : '';
  });
}

/**
 * Reads a description: each operation is a tool. Of the servers of a description the first counts, of the whole: the headers of a tool server are meant
 * for one service. Throws StudioError `invalid_request`.
 */
export function readService(text: string): Service {
  const description = readDescription(text);
  const found: Written[] = [];
  const leftOut: string[] = [];
  const paths = isFields(description.root['paths']) ? description.root['paths'] : {};
  for (const [path, given] of Object.entries(paths)) {
    const item = resolveReference(description, given);
    if (!path.startsWith('/') || item === undefined) continue;
    for (const method of methods) {
      const operation = item[method];
      if (!isFields(operation)) continue;
      if (found.length + leftOut.length >= MAX_TOOLS)
        throw new DescriptionError(
          'too_many',
          `The description has more than ${MAX_TOOLS} operations; take out what no agent needs`,
        );
      const written = operationOf(description, { path, method, item, operation });
      if (written) found.push(written);
      else leftOut.push(`${method.toUpperCase()} ${path}`);
    }
  }
  if (found.length === 0)
    throw new DescriptionError('no_operation', 'The description has no operation that can be called');
  const names = uniqueNames(found.map(({ name }) => ({ name, server: null })));
  return {
    baseUrl: baseOf(description),
    tools: found.map(({ tool, name }, i) => ({ name: names[i] ?? name, ...tool })),
    leftOut,
  };
}
