import { FetchRefused, type GuardedResponse, type GuardedRequest } from '../../../net-guard/index.ts';
import { readTruncatedJson, readJson } from '../answer/json.ts';
import { type ReadBytes, readBeginning } from '../answer/read.ts';
import { MAX_MADE_FILE_BYTES } from '../../run-files.ts';
import { type ToolCallOptions, type ToolFile, type ToolResult, failedCall, succeeded } from '../tool.ts';
import { nameByType, nameInAddress } from '../file-names.ts';
import { refusedProblem } from '../problem.ts';
import { EncodeError, encodeRequest } from './encode.ts';
import type { HttpOperation } from './operations.ts';

/** Where a service is, and what goes with every call. */
export interface HttpService {
  readonly request: GuardedRequest;
  readonly baseUrl: string;
  /** Some are secret. They count before what a call says. */
  readonly headers: Readonly<Record<string, string>>;
}

const CALL_MS = 120_000;
/** More of an answer than this is not read. */
const MAX_BYTES = 1024 * 1024;
const MAX_FAILURE_LENGTH = 4_000;

const IS_JSON = /^application\/([\w.+-]+\+)?json$/;
const IS_TEXT = /^(text\/|application\/([\w.+-]+\+)?(xml|yaml|javascript|x-www-form-urlencoded|ndjson|graphql)$)/;

/** Text in the encoding that the answer names. */
function decoded({ bytes }: ReadBytes, contentType: string): string {
  const charset = /charset=["']?([\w-]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}

const TRUNCATED_NOTE = '\n[Cut: the service gave more than can be taken; ask for less of it]';

/** The name that an answer gives its file; null where it gives none. Source: RFC 6266. */
function nameGiven(disposition: string): string | null {
  const encoded = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  const plain = /filename\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(disposition);
  try {
    return (encoded === undefined ? null : decodeURIComponent(encoded)) ?? plain?.[1] ?? plain?.[2] ?? null;
  } catch {
    return null;
  }
}

/** What a body is as a file: what is no text, and what the service gives to be saved. */
function fileOf(answer: GuardedResponse, { bytes, whole }: ReadBytes, type: string, url: string): ToolFile | null {
  if (!whole || bytes.length === 0) return null;
  const inAddress = nameInAddress(url);
  const name = nameGiven(answer.headers.get('content-disposition') ?? '') ?? inAddress;
  const mediaType = type === '' ? 'application/octet-stream' : type;
  return { name: name?.includes('.') === true ? name : nameByType(name ?? 'body', mediaType), mediaType, bytes };
}

async function resultOf(answer: GuardedResponse, url: string): Promise<ToolResult> {
  const contentType = answer.headers.get('content-type') ?? '';
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  const readable = IS_JSON.test(type) || IS_TEXT.test(type) || type === '';
  const read = await readBeginning(answer.body, readable ? MAX_BYTES : MAX_MADE_FILE_BYTES);
  const isSaved = !readable || /^\s*attachment/i.test(answer.headers.get('content-disposition') ?? '');
  const file = isSaved ? fileOf(answer, read, type, url) : null;
  const size = read.bytes.length.toLocaleString('en');
  const said = readable
    ? decoded(read, contentType)
    : `[${type}, ${size} bytes${read.whole ? '' : ' and more'}; not shown]`;
  const { status } = answer;
  if (status < 200 || status > 299)
    return failedCall(
      `The service answered with status ${status}${said === '' ? '' : `: ${said.slice(0, MAX_FAILURE_LENGTH).toWellFormed()}`}`,
    );
  if (said === '') return succeeded(`[Done; the service answered with status ${status} and nothing else]`, null);
  const text = readable && !read.whole ? said + TRUNCATED_NOTE : said;
  const files = file === null ? {} : { files: [file] };
  if (!IS_JSON.test(type)) return { ...succeeded(text), ...files };
  return { ...succeeded(text, read.whole ? readJson(said) : readTruncatedJson(said)), ...files };
}

/** Calls an operation. Throws StudioError `unavailable`, or the signal's reason. */
export async function callOperation(
  { request, baseUrl, headers }: HttpService,
  operation: HttpOperation,
  args: Readonly<Record<string, unknown>>,
  { signal, idempotencyKey }: ToolCallOptions,
): Promise<ToolResult> {
  let answer: GuardedResponse | null = null;
  try {
    const encoded = encodeRequest(operation, args);
    const base = new URL(baseUrl);
    const url = `${base.origin}${base.pathname.replace(/\/+$/, '')}${encoded.path}${encoded.query === '' ? '' : `?${encoded.query}`}`;
    if (new URL(url).origin !== base.origin) return failedCall('The arguments lead to another service');
    answer = await request(url, {
      method: operation.method,
      headers: {
        accept: 'application/json, text/*;q=0.9, */*;q=0.5',
        'idempotency-key': idempotencyKey,
        ...encoded.headers,
        ...headers,
      },
      ...(encoded.body === null ? {} : { body: encoded.body }),
      timeoutMs: CALL_MS,
      signal,
    });
    return await resultOf(answer, url);
  } catch (error) {
    if (error instanceof EncodeError) return failedCall(`The arguments are wrong: ${error.message}`);
    if (error instanceof FetchRefused) throw refusedProblem('The service', error);
    throw error;
  } finally {
    await answer?.close();
  }
}
