import type { ServiceTextProblem } from '@ai-studio/contract/console/agents.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { FetchRefused, type GuardedFetch } from '../../../net-guard/index.ts';
import { DescriptionError } from './document.ts';
import { type Service, readService } from './operations.ts';

// Descriptions of HTTP services that lie at an address.

const FETCH_MS = 20_000;
/** Longest description, in characters, as where it is pasted. */
const MAX_TEXT_LENGTH = 2_000_000;
/** A character has three bytes at most, but for pairs, which count twice. */
const MAX_BYTES = MAX_TEXT_LENGTH * 3;
const FIELD = 'description_url';

const refuse = (problem: ServiceTextProblem, message: string, more: { status?: number; cause?: unknown } = {}) =>
  new StudioError('invalid_request', message, {
    param: FIELD,
    reason: 'tool_description',
    values: { problem, detail: '', ...(more.status === undefined ? {} : { status: more.status }) },
    ...(more.cause === undefined ? {} : { cause: more.cause }),
  });

/** The address of a description in the form in which it is kept. Throws StudioError `invalid_request` (tool_address). */
export function cleanDescriptionUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const bad = (message: string) =>
    new StudioError('invalid_request', message, { param: FIELD, reason: 'tool_address' });
  if (!url || !/^https?:$/.test(url.protocol))
    throw bad('description_url must be an address such as https://api.example.kr/openapi.json');
  if (url.username !== '' || url.password !== '') throw bad('description_url must hold no user and no password');
  // A place within the document is one for people.
  url.hash = '';
  return url.href;
}

const kinds: Readonly<Record<FetchRefused['kind'], ServiceTextProblem>> = {
  unreachable: 'unreachable',
  https_only: 'https_only',
  redirected: 'unreachable',
  slow: 'slow',
  status: 'status',
  too_large: 'too_large',
  other: 'unreachable',
};

async function fetchText(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<string> {
  let bytes: Uint8Array;
  try {
    ({ bytes } = await fetch(url, { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, types: null, signal }));
  } catch (error) {
    if (signal.aborted) throw new StudioError('client_closed', 'Nobody waits for it any more', { cause: error });
    if (!(error instanceof FetchRefused)) throw error;
    const more = error.status === null ? {} : { status: error.status };
    throw refuse(kinds[error.kind], `The description could not be fetched: ${error.message}`, {
      ...more,
      cause: error,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw refuse('not_openapi', 'What lies at the address is no text in UTF-8', { cause });
  }
}

/**
 * Fetches a description, behind the guard for addresses of users, without any headers of the service. Its first server is told as a whole
 * address. Throws StudioError `invalid_request` (tool_description), `client_closed`.
 */
export async function fetchService(fetch: GuardedFetch, url: string, signal: AbortSignal): Promise<Service> {
  const text = await fetchText(fetch, url, signal);
  if (text.length > MAX_TEXT_LENGTH)
    throw refuse('too_large', `The description has more than ${MAX_TEXT_LENGTH} characters`);
  if (/^\s*</.test(text))
    throw refuse('is_page', 'A page for people lies at the address; name that of the OpenAPI document itself');
  try {
    const service = readService(text);
    // Source: OpenAPI 3.1.1, 4.6: addresses are relative to the document; without servers there is one, /.
    const base = service.baseUrl ?? '/';
    return { ...service, baseUrl: URL.canParse(base, url) ? new URL(base, url).href : null };
  } catch (error) {
    if (!(error instanceof DescriptionError)) throw error;
    const { message, reason, values } = error;
    throw new StudioError('invalid_request', message, { param: FIELD, reason: reason ?? '', values, cause: error });
  }
}
