import { setTimeout as delay } from 'node:timers/promises';
import type { S3mini } from 's3mini';
import { StudioError } from '../../kernel/errors.ts';

/** Where object storage is, and who we are there. */
export interface S3Options {
  /** Address of the storage without the bucket. */
  readonly endpoint: string;
  readonly bucket: string;
  /** What every key begins with: empty, or ending in `/`. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A client of the storage; its package is loaded by the first call. */
export function createS3Client(options: S3Options): () => Promise<S3mini> {
  let client: Promise<S3mini> | null = null;
  return () =>
    (client ??= import('s3mini').then(
      (s3) =>
        new s3.S3mini({
          endpoint: `${options.endpoint.replace(/\/+$/, '')}/${options.bucket}`,
          region: options.region,
          accessKeyId: options.accessKeyId,
          secretAccessKey: options.secretAccessKey,
        }),
    ));
}

const ATTEMPTS = 4;
const RETRY_DELAY_MS = 200;

/** Whether a retry may succeed: the storage is overloaded or could not be reached. */
function isRetryable(error: unknown): boolean {
  const { status } = error as { readonly status?: number };
  return status === undefined
    ? !(error instanceof TypeError && error.cause === undefined)
    : status >= 500 || status === 429;
}

/** Runs an idempotent operation with retries. Throws StudioError `unavailable` with the cause. */
export async function withRetry<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (cause) {
      if (tries === ATTEMPTS || !isRetryable(cause))
        throw new StudioError('unavailable', 'The file store cannot be reached at the moment', { cause });
      await delay(RETRY_DELAY_MS * 2 ** tries * (0.5 + Math.random()));
    }
  }
}

/** A storage that is away is said to be so within seconds; by itself the engine tries for three minutes. */
const TIMEOUT = { connect_timeout: '5s', timeout: '60s', client_max_retries: '3', client_retry_timeout: '20' };

/** The same place, as LanceDB calls it. Source: object_store, keys of Amazon S3. */
export const lanceStorageOf = (options: S3Options) => ({
  uri: `s3://${options.bucket}/${options.prefix}index`,
  options: {
    aws_endpoint: options.endpoint,
    aws_region: options.region,
    aws_access_key_id: options.accessKeyId,
    aws_secret_access_key: options.secretAccessKey,
    aws_virtual_hosted_style_request: 'false',
    allow_http: String(options.endpoint.startsWith('http:')),
    ...TIMEOUT,
  },
});
