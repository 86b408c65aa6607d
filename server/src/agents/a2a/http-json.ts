import { isUtf8 } from 'node:buffer';
import { holdsTooManyValues, TOO_MANY_VALUES } from '../../kernel/json-values.ts';
import type { Opened } from './envelope.ts';
import { A2aError } from './errors.ts';
import type { A2aForm, A2aVerb } from './form.ts';

// A request of HTTP+JSON, as the same call in JSON-RPC. Source: A2A 1.0, section 11.

export interface HttpJsonRequest {
  readonly verb: A2aVerb;
  readonly form: A2aForm;
  /** What errors call the operation. */
  readonly method: string;
  /** Null: the operation takes none. */
  readonly body: Buffer | null;
  /** Parts of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Parameters of an address that are no texts. */
const numbers: ReadonlySet<string> = new Set(['pageSize', 'historyLength']);
const flags: ReadonlySet<string> = new Set(['includeArtifacts']);

/** A parameter as JSON would have it; what is none stays a text, which the form of the parameters refuses by its name. */
function valueOf(name: string, text: unknown): unknown {
  if (typeof text !== 'string') return text;
  if (numbers.has(name) && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (flags.has(name) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function readBody(body: Buffer): object {
  if (!isUtf8(body)) throw new A2aError('parse', 'The body is not valid UTF-8');
  const text = body.toString('utf8');
  if (text.trim() === '') return {};
  if (holdsTooManyValues(text)) throw new A2aError('request', TOO_MANY_VALUES);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new A2aError('parse', 'The body is not valid JSON', { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new A2aError('params', 'The body must be a JSON object');
  return value;
}

/** The name of a path's parts in the parameters of a verb. */
function namedParams(
  verb: A2aVerb,
  { task_id: taskId, config_id: configId }: Readonly<Record<string, string>>,
): object {
  if (!verb.startsWith('push-')) return taskId === undefined ? {} : { id: taskId };
  return { taskId, ...(configId === undefined ? {} : { id: configId }) };
}

/** Reads a request. What stands in the path prevails over the body. Never throws. */
export function openHttpJson({ verb, form, method, body, params, query }: HttpJsonRequest): Opened {
  const tag = { form, door: 'http_json', id: 'null' } as const;
  try {
    const { 'A2A-Version': _version, ...named } = query;
    const asked = Object.fromEntries(Object.entries(named).map(([name, text]) => [name, valueOf(name, text)]));
    const given = body === null ? (verb === 'list' || verb === 'get' ? asked : {}) : readBody(body);
    return {
      ok: true,
      envelope: {
        ...tag,
        verb,
        method,
        params: { ...given, ...namedParams(verb, params) },
        unknownFields: [],
        withoutId: false,
      },
    };
  } catch (error) {
    if (error instanceof A2aError) return { ok: false, tag, error };
    throw error;
  }
}
