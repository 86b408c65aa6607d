import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { StudioError } from '../../kernel/errors.ts';

/** What a server said of a file, and the rest of it. */
export interface Answer {
  /** Where in the file the bytes begin. */
  readonly offset: number;
  /** Size of the whole file; null where nobody says. */
  readonly total: number | null;
  /** Names this version of the file. */
  readonly etag: string | null;
  /** SHA-256 as the hub gives it; null where there is none. */
  readonly sha256: string | null;
  readonly body: AsyncIterable<Buffer> & { destroy(): unknown };
}

export interface ExchangeOptions {
  /** Bytes that are here already; asked for from there. */
  readonly have: number;
  readonly etag: string | null;
  /** Sent to the first server only. */
  readonly token: string | null;
  readonly signal: AbortSignal;
}

/** The part that is here does not fit: the whole file must come anew. */
export class PartUnusable extends Error {}

const MAX_REDIRECTS = 5;
const SILENCE_MS = 60_000;

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const sha256Of = (etag: string | null) => /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(etag ?? '')?.[1]?.toLowerCase() ?? null;
const sizeOf = (value: unknown): number | null => (/^\d{1,15}$/.test(text(value) ?? '') ? Number(value) : null);

/** Why, by its name. */
const reasons: Readonly<Record<number, ConsoleReason>> = {
  401: 'download_login',
  403: 'download_refused',
  404: 'download_missing',
  410: 'download_missing',
  429: 'download_busy',
  503: 'download_busy',
};
const sentences: Readonly<Record<number, string>> = {
  401: 'asks for a login: set local_models.token to a token of the hub',
  403: 'refuses it: the licence may have to be accepted on its page, and local_models.token be set',
  404: 'does not have it',
  410: 'does not have it any more',
  429: 'has had too many requests',
  503: 'has no time at the moment',
};

/** Seconds that a server asks to wait. Source: RFC 9110, Retry-After: a number of seconds or a date. */
function retryAfter(value: unknown): number | undefined {
  const said = text(value)?.trim() ?? '';
  if (/^\d{1,9}$/.test(said)) return Number(said);
  const at = said === '' ? Number.NaN : Date.parse(said);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function refusal(status: number, url: URL, retryAfterSeconds: number | undefined): StudioError {
  const what = sentences[status] ?? `answered ${status}`;
  const code =
    status === 404 || status === 410
      ? 'not_found'
      : status >= 500 || status === 429
        ? 'unavailable'
        : 'invalid_request';
  const timeout = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const reason = reasons[status] ?? 'download_failed';
  const values = { host: url.hostname, status };
  return new StudioError(code, `${url.hostname} ${what} (${url.pathname})`, { ...timeout, reason, values });
}

/** What the hub's own redirect says of the file behind it. Source: Hugging Face Hub, headers of `resolve`. */
interface Linked {
  sha256: string | null;
  size: number | null;
}

/**
 * Asks for a file from `have` on, through redirects. Throws StudioError for an answer that is final, {@link PartUnusable}
 * for a part that does not fit, other errors where another try may help.
 */
export async function askFor(address: string, { have, etag, token, signal }: ExchangeOptions): Promise<Answer> {
  let url = new URL(address);
  const { origin } = url;
  const linked: Linked = { sha256: null, size: null };
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { statusCode, headers, body } = await (
      await import('undici')
    ).request(url, {
      signal,
      headersTimeout: SILENCE_MS,
      bodyTimeout: SILENCE_MS,
      headers: {
        'accept-encoding': 'identity',
        ...(token !== null && url.origin === origin ? { authorization: `Bearer ${token}` } : {}),
        ...(have > 0 ? { range: `bytes=${have}-`, ...(etag === null ? {} : { 'if-range': etag }) } : {}),
      },
    });
    linked.sha256 ??= sha256Of(text(headers['x-linked-etag']));
    linked.size ??= sizeOf(headers['x-linked-size']);
    const location = text(headers['location']);
    if (statusCode >= 300 && statusCode < 400 && location !== null) {
      await body.dump();
      url = new URL(location, url);
      continue;
    }
    if (statusCode === 416) {
      await body.dump();
      throw new PartUnusable();
    }
    if (statusCode !== 200 && statusCode !== 206) {
      await body.dump();
      throw refusal(statusCode, url, retryAfter(headers['retry-after']));
    }
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(text(headers['content-range']) ?? '');
    const offset = statusCode === 206 ? Number(range?.[1] ?? Number.NaN) : 0;
    if (statusCode === 206 && offset !== have) {
      body.destroy();
      throw new PartUnusable();
    }
    const told = statusCode === 206 ? sizeOf(range?.[2]) : sizeOf(headers['content-length']);
    if (linked.size !== null && told !== null && linked.size !== told) {
      body.destroy();
      throw new StudioError(
        'invalid_request',
        `${url.hostname} gives two different sizes of the file: ${linked.size} and ${told} bytes`,
        { reason: 'download_wrong' },
      );
    }
    return { offset, total: linked.size ?? told, etag: text(headers['etag']), sha256: linked.sha256, body };
  }
  throw new StudioError('invalid_request', `${url.hostname} leads from one address to the next`, {
    reason: 'download_wrong',
  });
}
