import { isUtf8 } from 'node:buffer';
import { scanObject } from '../../kernel/json-scan.ts';
import { holdsTooManyValues, TOO_MANY_VALUES } from '../../kernel/json-values.ts';
import { A2aError } from './errors.ts';
import { type A2aDoor, type A2aForm, type A2aVerb, type A2aWire, formOfMethod, verbOf } from './form.ts';

// A JSON-RPC request as bytes. Source: interface 2.5 and 7.

/** What of a request must be known to answer it, even with a failure. */
export interface A2aTag extends A2aWire {
  /** The id as it was written, in JSON; `null` where it cannot be read. */
  readonly id: string;
}

export interface A2aEnvelope extends A2aTag {
  readonly verb: A2aVerb;
  readonly method: string;
  readonly params: unknown;
  /** Names of fields beside those of JSON-RPC. */
  readonly unknownFields: readonly string[];
  /** A notification of JSON-RPC. Nothing is run for it; what else is wrong with it is told first. */
  readonly withoutId: boolean;
}

export type Opened =
  | { readonly ok: true; readonly envelope: A2aEnvelope }
  | { readonly ok: false; readonly tag: A2aTag; readonly error: A2aError };

/** Source: JSON-RPC 2.0, section 4. */
const envelopeFields: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);

const SHAPE = 'invalid JSON-RPC format';

export const idRequired = () => new A2aError('request', `${SHAPE}: id must be a string or a number`);

/** A number that JavaScript cannot hold is echoed as it was written. */
function numberAsWritten(text: string): string | null {
  const member = scanObject(text).members.findLast(({ key }) => key === 'id');
  return member ? text.slice(member.valueStart, member.end) : null;
}

function idOf(value: unknown, text: string): string | null {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return null;
  return Number.isSafeInteger(value) ? String(value) : numberAsWritten(text);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a request; `named` is the form that its version asks for. Never throws. */
export function openEnvelope(bytes: Buffer, named: A2aForm, door: A2aDoor = 'interface'): Opened {
  const fail = (error: A2aError, tag: A2aTag = { form: named, door, id: 'null' }): Opened => ({
    ok: false,
    tag,
    error,
  });
  if (!isUtf8(bytes)) return fail(new A2aError('parse', 'The body is not valid UTF-8'));
  const text = bytes.toString('utf8');
  if (holdsTooManyValues(text)) return fail(new A2aError('request', TOO_MANY_VALUES));
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    return fail(new A2aError('parse', 'The body is not valid JSON', { cause }));
  }
  if (Array.isArray(body)) return fail(new A2aError('request', `${SHAPE}: send one request at a time, not a list`));
  if (!isRecord(body)) return fail(new A2aError('request', SHAPE));
  const id = idOf(body['id'], text);
  const { method, params } = body;
  const form = formOfMethod(method, named);
  const tag: A2aTag = { form, door, id: id ?? 'null' };
  if (body['jsonrpc'] !== '2.0') return fail(new A2aError('request', `${SHAPE}: jsonrpc must be "2.0"`), tag);
  const withoutId = door !== 'interface' && body['id'] === undefined;
  if (id === null && !withoutId) return fail(idRequired(), tag);
  if (typeof method !== 'string' || method === '')
    return fail(new A2aError('request', `${SHAPE}: method must be a string`), tag);
  const verb = verbOf(form, method);
  if (verb === null)
    return fail(
      new A2aError('method', `There is no method ${JSON.stringify(method.slice(0, 100))} in A2A ${form}`),
      tag,
    );
  const unknownFields = Object.keys(body).filter((name) => !envelopeFields.has(name));
  return { ok: true, envelope: { ...tag, verb, method, params, unknownFields, withoutId } };
}
