import { posix } from 'node:path';
import type { S3mini } from 's3mini';
import { StudioError } from '../../kernel/errors.ts';
import { type Connector, MAX_SOURCE_ID, type SourceChange } from '../../ports/connector.ts';
import { sourceFailure } from '../../ports/source-failure.ts';
import { readListing } from './s3-listing.ts';
import { askWeb, readAll, toFile, type WebReply, type WebRequest } from './web.ts';

/** A bucket of object storage, or what of it begins with a prefix. */
export interface S3Source {
  /** Address of the storage without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** What keys begin with; empty takes all. */
  readonly prefix: string;
  readonly credentials: { readonly access_key_id: string; readonly secret_access_key: string };
  /** Endings of names that are taken, in lower case without the dot; null takes all. */
  readonly endings: ReadonlySet<string> | null;
  readonly request: WebRequest;
  /** Objects of a page of a listing. */
  readonly pageSize?: number;
}

/** A request as the client of S3 signed it. */
interface Signed {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** A page of a listing has 1,000 objects at most, with keys of a kilobyte. */
const MAX_LISTING_BYTES = 8 * 1024 * 1024;
const PAGE_SIZE = 1_000;
const endingOf = (name: string): string => (name.includes('.') ? (name.split('.').at(-1) ?? '').toLowerCase() : '');

/** Addresses are made plain on their way: a key with such parts would name another object, of another bucket even. */
const isPlain = (key: string): boolean => key !== '' && !key.split('/').some((part) => part === '.' || part === '..');

/**
 * Opens a bucket as a source. Ids are keys; versions are entity tags. The client of S3 signs, the guard sends: nothing goes to an address
 * that the operator did not open.
 */
export function createS3Connector(source: S3Source): Connector {
  const { endpoint, region, bucket, prefix, credentials, endings, request, pageSize = PAGE_SIZE } = source;

  /** What the client of S3 would send. */
  async function sign(work: (client: S3mini) => Promise<unknown>): Promise<Signed> {
    const { S3mini: Client } = await import('s3mini');
    let signed: Signed | null = null;
    const client = new Client({
      endpoint: `${endpoint.replace(/\/+$/, '')}/${encodeURIComponent(bucket)}`,
      region,
      accessKeyId: credentials.access_key_id,
      secretAccessKey: credentials.secret_access_key,
      fetch(input, init) {
        const headers = Object.fromEntries(new Headers(init?.headers));
        // Made by whoever sends.
        delete headers['host'];
        signed = { url: input instanceof Request ? input.url : String(input), headers };
        return Promise.resolve(new Response('<ListBucketResult/>'));
      },
    });
    await work(client);
    if (signed === null) throw new Error('the client of S3 sent nothing');
    return signed;
  }

  const ask = <T>({ url, headers }: Signed, signal: AbortSignal, read: (reply: WebReply) => Promise<T>) =>
    askWeb(request, url, { headers, signal }, [200], read);

  async function pageOf(token: string | null, signal: AbortSignal) {
    const more = { 'encoding-type': 'url' };
    const signed = await sign((client) => client.listObjectsPaged('/', prefix, pageSize, token ?? undefined, more));
    try {
      return await ask(signed, signal, async ({ body }) => readListing(await readAll(body, MAX_LISTING_BYTES)));
    } catch (error) {
      if (error instanceof StudioError && error.code === 'not_found')
        throw sourceFailure('bucket_missing', { cause: error });
      throw error;
    }
  }

  async function* list(maxItems: number, signal: AbortSignal): AsyncGenerator<SourceChange> {
    let cut: StudioError | undefined;
    let items = 0;
    for (let token: string | null = null, isFirst = true; isFirst || token !== null; isFirst = false) {
      signal.throwIfAborted();
      const page = await pageOf(token, signal);
      for (const { key, etag, modified, bytes } of page.objects) {
        const name = posix.basename(key);
        // What stands for a folder in the tools of some.
        if (key.endsWith('/') || name.startsWith('.') || endings?.has(endingOf(name)) === false) continue;
        if (key.length > MAX_SOURCE_ID || !isPlain(key)) {
          const problem = sourceFailure('key_unusable');
          cut ??= problem;
          yield { type: 'unreadable', id: null, name: name.slice(0, 200), problem };
          continue;
        }
        if (++items > maxItems) {
          const problem = sourceFailure('over_limit', { values: { limit: maxItems } });
          yield { type: 'unreadable', id: null, name: '', problem };
          return void (yield { type: 'end', isWhole: false, cursor: null, cut: problem });
        }
        const folder = posix.dirname(key);
        const metadata = folder === '.' ? {} : { folder };
        yield {
          type: 'present',
          item: { id: key, name, version: etag ?? `${modified}-${bytes ?? ''}`, bytes, metadata },
        };
      }
      token = page.next;
    }
    yield { type: 'end', isWhole: cut === undefined, cursor: null, cut };
  }

  return {
    list: ({ maxItems, signal }) => list(maxItems, signal),
    async fetch(id, { path, maxBytes, signal }) {
      signal.throwIfAborted();
      if (!isPlain(id) || !id.startsWith(prefix)) throw sourceFailure('document_gone');
      const signed = await sign((client) => client.getObjectResponse(id));
      return ask(signed, signal, async ({ body }) => ({ bytes: await toFile(body, path, maxBytes, signal) }));
    },
    close: () => Promise.resolve(),
  };
}
