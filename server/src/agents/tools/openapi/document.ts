import { YAMLError, parse as parseYaml } from 'yaml';
import type { ServiceTextProblem } from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { isShallow } from '../answer/json.ts';

// Descriptions of HTTP services. Source: OpenAPI 3.0.4 and 3.1.1.

export type Fields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A description as it was written; references still stand in it. */
export interface ServiceDescription {
  readonly root: Fields;
  /** Whether it is of 3.0, whose schemas are not quite JSON Schema. */
  readonly old: boolean;
}

/** Longest description in YAML, which takes long to read, in characters. */
const MAX_YAML_LENGTH = 500_000;
/** Most aliases of YAML anchors; each may expand to many others. */
const MAX_ALIASES = 100;

/** A description that can't be read: StudioError `invalid_request`, reason `tool_description`. */
export class DescriptionError extends StudioError {
  /** `detail` is what a parser says. */
  constructor(problem: ServiceTextProblem, message: string, detail = '') {
    super('invalid_request', message, {
      param: 'description',
      reason: 'tool_description',
      values: { problem, detail: detail.slice(0, 300) },
    });
    this.name = 'DescriptionError';
  }
}

function readText(text: string): unknown {
  if (/^\s*\{/.test(text))
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      const detail = error instanceof Error ? error.message : '';
      throw new DescriptionError('not_json', `The description is no JSON: ${detail}`, detail);
    }
  if (text.length > MAX_YAML_LENGTH)
    throw new DescriptionError(
      'yaml_too_long',
      `A description in YAML may have ${MAX_YAML_LENGTH} characters; give it as JSON`,
    );
  try {
    return parseYaml(text, { maxAliasCount: MAX_ALIASES, logLevel: 'error', uniqueKeys: false }) as unknown;
  } catch (error) {
    // A RangeError or ReferenceError tells of anchors that grow.
    const reason =
      error instanceof YAMLError || error instanceof ReferenceError
        ? error.message.split('\n')[0]
        : 'it is nested too deeply';
    throw new DescriptionError('not_yaml', `The description is no YAML: ${reason}`, reason);
  }
}

/** Reads a description. Throws StudioError `invalid_request`. */
export function readDescription(text: string): ServiceDescription {
  const root = readText(text);
  if (!isFields(root)) throw new DescriptionError('not_openapi', 'The description is no OpenAPI description');
  if (root['swagger'] !== undefined)
    throw new DescriptionError('swagger_2', 'The description is of Swagger 2; OpenAPI 3.0 and 3.1 are read');
  const version = textIn(root['openapi']);
  if (!/^3\.[01]\b/.test(version))
    throw new DescriptionError('no_version', 'The description has no openapi: 3.0 or 3.1');
  if (!isShallow(root)) throw new DescriptionError('too_deep', 'The description is nested too deeply');
  return { root, old: version.startsWith('3.0') };
}

/** What a reference within the description names; undefined where there is nothing. */
export function resolvePointer({ root }: ServiceDescription, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split('/')) {
    let name = part;
    try {
      name = decodeURIComponent(part);
    } catch {
      // As it is written, then.
    }
    name = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(at)) at = at[Number(name)];
    else at = isFields(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}

const MAX_STEPS = 10;

/** An object, or the one that it refers to. Undefined where there is none. */
export function resolveReference(description: ServiceDescription, value: unknown): Fields | undefined {
  let at = value;
  for (let steps = 0; steps < MAX_STEPS && isFields(at); steps++) {
    const ref = at['$ref'];
    if (typeof ref !== 'string') return at;
    at = resolvePointer(description, ref);
  }
  return undefined;
}
