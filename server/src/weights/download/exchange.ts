import type { ConsoleReason } from '@ai-studio/contract/console/errors.ts';
import { StudioError } from '../../kernel/errors.ts';

/** The response of a server: metadata of a file, and its remaining bytes. */
export interface FileResponse {
  /** Offset of the first byte. */
  readonly offset: number;
  /** Size of the whole file; null where it is unknown. */
  readonly total: number | null;
  /** Identifies the version of the file. */
  readonly etag: string | null;
  /** SHA-256 from the hub; null where there is none. */
  readonly sha256: string | null;
  readonly body: AsyncIterable<Buffer> & { destroy(): unknown };
}

export interface ExchangeOptions {
  /** Bytes that are already here; requests the rest. */
  readonly have: number;
  readonly etag: string | null;
  /** Sent to the first server only. */
  readonly token: string | null;
  readonly signal: AbortSignal;
}

/** The part that is here does not fit: the whole file must be downloaded again. */
export class PartUnusable extends Error {}

const MAX_REDIRECTS = 5;
const IDLE_TIMEOUT_MS = 60_000;

const asText = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const parseSha256 = (etag: string | null) =>
  /^(?:W\/)?"?([0-9a-f]{64})"?$/i.exec(etag ?? '')?.[1]?.toLowerCase() ?? null;
const parseSize = (value: unknown): number | null => (/^\d{1,15}$/.test(asText(value) ?? '') ? Number(value) : null);

/** Reasons by status. */
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
  const headerValue = asText(value)?.trim() ?? '';
  if (/^\d{1,9}$/.test(headerValue)) return Number(headerValue);
  const at = headerValue === '' ? Number.NaN : Date.parse(headerValue);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - Date.now()) / 1000));
}

function toRefusal(status: number, url: URL, retryAfterSeconds: number | undefined): StudioError {
  const sentence = sentences[status] ?? `answered ${status}`;
  const code =
    status === 404 || status === 410
      ? 'not_found'
      : status >= 500 || status === 429
        ? 'unavailable'
        : 'invalid_request';
  const retryDetail = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const reason = reasons[status] ?? 'download_failed';
  const values = { host: url.hostname, status };
  return new StudioError(code, `${url.hostname} ${sentence} (${url.pathname})`, { ...retryDetail, reason, values });
}

/** Metadata of the file in the hub's redirect. Source: Hugging Face Hub, headers of `resolve`. */
interface LinkedFile {
  sha256: string | null;
  size: number | null;
}

/**
 * Requests a file from offset `have` on, through redirects. Throws StudioError for a final failure, {@link PartUnusable} for a part
 * that does not fit, other errors where a retry may help.
 */
export async function requestFile(
  address: string,
  { have, etag, token, signal }: ExchangeOptions,
): Promise<FileResponse> {
  let url = new URL(address);
  const { origin } = url;
  const linked: LinkedFile = { sha256: null, size: null };
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { statusCode, headers, body } = await (
      await import('undici')
    ).request(url, {
      signal,
      headersTimeout: IDLE_TIMEOUT_MS,
      bodyTimeout: IDLE_TIMEOUT_MS,
      headers: {
        'accept-encoding': 'identity',
        ...(token !== null && url.origin === origin ? { authorization: `Bearer ${token}` } : {}),
        ...(have > 0 ? { range: `bytes=${have}-`, ...(etag === null ? {} : { 'if-range': etag }) } : {}),
      },
    });
    // A body that is destroyed before its end reports that as an error, which nobody listens for any more and which would end the process.
    body.on('error', () => undefined);
    linked.sha256 ??= parseSha256(asText(headers['x-linked-etag']));
    linked.size ??= parseSize(headers['x-linked-size']);
    const location = asText(headers['location']);
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
      throw toRefusal(statusCode, url, retryAfter(headers['retry-after']));
    }
    const range = /^bytes (\d+)-\d+\/(\d+|\*)$/.exec(asText(headers['content-range']) ?? '');
    const offset = statusCode === 206 ? Number(range?.[1] ?? Number.NaN) : 0;
    if (statusCode === 206 && offset !== have) {
      body.destroy();
      throw new PartUnusable();
    }
    const reportedSize = statusCode === 206 ? parseSize(range?.[2]) : parseSize(headers['content-length']);
    if (linked.size !== null && reportedSize !== null && linked.size !== reportedSize) {
      body.destroy();
      throw new StudioError(
        'invalid_request',
        `${url.hostname} gives two different sizes of the file: ${linked.size} and ${reportedSize} bytes`,
        { reason: 'download_wrong' },
      );
    }
    return { offset, total: linked.size ?? reportedSize, etag: asText(headers['etag']), sha256: linked.sha256, body };
  }
  throw new StudioError('invalid_request', `${url.hostname} leads from one address to the next`, {
    reason: 'download_wrong',
  });
}
