import { PageNotRead } from '../../ports/page-reader.ts';

/** A server that reads pages. */
export interface ServerOptions {
  /** Such as `http://127.0.0.1:5001`. */
  readonly address: string;
  readonly apiKey: string | null;
}

/** What is sent to such a server. */
export interface Upload {
  readonly path: string;
  readonly form: FormData;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one page may say, in bytes of JSON. */
const MAX_REPLY_BYTES = 8 * 1024 * 1024;
const MAX_TOLD = 200;

/** The picture of a page as a file of a form. */
export const pageFile = (picture: Uint8Array): File =>
  new File([Uint8Array.from(picture)], 'page.png', { type: 'image/png' });

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > MAX_REPLY_BYTES) throw new PageNotRead('its answer is too long');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** What a server says of its refusal, where it says it in JSON. Source: FastAPI (`detail`), MinerU (`error`). */
function refusalOf(text: string): string {
  try {
    const { detail, error, message } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const told = [detail, error, message].find((one) => typeof one === 'string');
    return told === undefined ? '' : `: ${told.slice(0, MAX_TOLD)}`;
  } catch {
    return '';
  }
}

/** Sends a page and gives what comes back as JSON. Rejects with PageNotRead, or with the signal's reason. */
export async function askServer(
  { address }: ServerOptions,
  { path, form, headers }: Upload,
  signal: AbortSignal,
): Promise<unknown> {
  const base = address.endsWith('/') ? address.slice(0, -1) : address;
  try {
    const response = await fetch(base + path, { method: 'POST', body: form, headers, signal, redirect: 'error' });
    const text = await readBounded(response);
    if (!response.ok) throw new PageNotRead(`its server answered ${response.status}${refusalOf(text)}`);
    return JSON.parse(text) as unknown;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof PageNotRead) throw error;
    const why =
      error instanceof SyntaxError ? 'its server answered something else than JSON' : 'its server cannot be reached';
    throw new PageNotRead(why, { cause: error });
  }
}

/** A field of an object that is one; undefined otherwise. */
export const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
