import type { HttpOperation, HttpParameter } from './operations.ts';

// Arguments in the places where a service wants them. Source: OpenAPI 3.1.1, 4.8.12.2 (style) and RFC 6570.

/** A request, beside the address of the service. */
export interface EncodedRequest {
  /** Begins with `/`. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** An argument that cannot be written where it has to stand, in words for a model. */
export class EncodeError extends Error {}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}

/** Beside letters and digits, what `encodeURIComponent` leaves alone though RFC 3986 reserves it. */
const strict = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
/** Leaves the signs that part addresses, but for those that would begin another part of this one. */
const reserved = (text: string) =>
  encodeURI(text.toWellFormed()).replaceAll('#', '%23').replaceAll('&', '%26').replaceAll('+', '%2B');

type Encode = (text: string) => string;

/** Names and values of an object in one list: `R,100,G,200`; or `R=100,G=200`. */
const flat = (value: Readonly<Record<string, unknown>>, explode: boolean, encode: Encode, between: string) =>
  Object.entries(value)
    .map(([name, one]) => `${encode(name)}${explode ? '=' : ','}${encode(plain(one))}`)
    .join(between);

const joined = (list: readonly unknown[], encode: Encode, between: string) =>
  list.map((one) => encode(plain(one))).join(between);

/** As a part of the path. */
function inPath({ name, style, explode }: HttpParameter, value: unknown): string {
  const head = style === 'label' ? '.' : '';
  const between = explode && style === 'label' ? '.' : ',';
  if (style === 'matrix') {
    if (Array.isArray(value))
      return explode
        ? value.map((one) => `;${strict(name)}=${strict(plain(one))}`).join('')
        : `;${strict(name)}=${joined(value, strict, ',')}`;
    if (isFields(value))
      return explode ? `;${flat(value, true, strict, ';')}` : `;${strict(name)}=${flat(value, false, strict, ',')}`;
    return `;${strict(name)}=${strict(plain(value))}`;
  }
  if (Array.isArray(value)) return head + joined(value, strict, between);
  if (isFields(value)) return head + flat(value, explode, strict, between);
  return head + strict(plain(value));
}

/** As parts of the query. */
function inQuery({ name, style, explode, allowReserved }: HttpParameter, value: unknown): readonly string[] {
  const encode = allowReserved ? reserved : strict;
  const key = strict(name);
  if (Array.isArray(value)) {
    if (explode) return value.map((one) => `${key}=${encode(plain(one))}`);
    const between = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '%7C' : ',';
    return [`${key}=${joined(value, encode, between)}`];
  }
  if (isFields(value)) {
    if (style === 'deepObject')
      return Object.entries(value).map(([field, one]) => `${key}%5B${strict(field)}%5D=${encode(plain(one))}`);
    return explode
      ? Object.entries(value).map(([field, one]) => `${strict(field)}=${encode(plain(one))}`)
      : [`${key}=${flat(value, false, encode, ',')}`];
  }
  return [`${key}=${encode(plain(value))}`];
}

const asIs: Encode = (text) => text;

/** As the value of a header, which holds no signs that end it. */
function inHeader({ name, explode }: HttpParameter, value: unknown): string {
  const text = Array.isArray(value)
    ? joined(value, asIs, ',')
    : isFields(value)
      ? flat(value, explode, asIs, ',')
      : plain(value);
  if (!/^[\t\x20-\x7e]*$/.test(text)) throw new EncodeError(`${name} may hold letters, digits and signs of ASCII only`);
  return text;
}

function inCookie({ name }: HttpParameter, value: unknown): string {
  const text = Array.isArray(value)
    ? joined(value, strict, ',')
    : isFields(value)
      ? flat(value, false, strict, ',')
      : strict(plain(value));
  return `${strict(name)}=${text}`;
}

/** The path with its places filled. A value that would lead to another path is refused. */
function fillPath(path: string, parts: ReadonlyMap<string, string>): string {
  const filled = path.replaceAll(/\{([^{}]*)\}/g, (_all, name: string) => {
    const part = parts.get(name) ?? '';
    if (part === '') throw new EncodeError(`${name} must not be empty`);
    return part;
  });
  // Such steps are taken by whoever reads the address, also where they are encoded.
  if (filled.split('/').some((step) => /^(\.|%2e){1,2}$/i.test(step)))
    throw new EncodeError('a part of the path must not be . or ..');
  return filled;
}

function bodyText(kind: 'json' | 'form', value: unknown): string {
  if (kind === 'json') return JSON.stringify(value);
  const form = new URLSearchParams();
  for (const [name, one] of Object.entries(isFields(value) ? value : {}))
    for (const item of Array.isArray(one) ? one : [one]) form.append(name, plain(item));
  return form.toString();
}

/** Writes the arguments of a call. Throws EncodeError. */
export function encodeRequest(
  { path, parameters, body }: Pick<HttpOperation, 'path' | 'parameters' | 'body'>,
  args: Readonly<Record<string, unknown>>,
): EncodedRequest {
  const parts = new Map<string, string>();
  const query: string[] = [];
  const cookies: string[] = [];
  const headers: Record<string, string> = {};
  for (const parameter of parameters) {
    if (!Object.hasOwn(args, parameter.argument) || args[parameter.argument] === undefined) continue;
    const given = args[parameter.argument];
    const value = parameter.json ? JSON.stringify(given) : given;
    if (parameter.in === 'path') parts.set(parameter.name, inPath(parameter, value));
    else if (parameter.in === 'query') query.push(...inQuery(parameter, value));
    else if (parameter.in === 'cookie') cookies.push(inCookie(parameter, value));
    else headers[parameter.name.toLowerCase()] = inHeader(parameter, value);
  }
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  const sent = body !== null && args['body'] !== undefined;
  if (sent) headers['content-type'] = body === 'json' ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    path: fillPath(path, parts),
    query: query.join('&'),
    headers,
    body: sent ? bodyText(body, args['body']) : null,
  };
}
