import { sourceFailure } from '../../ports/source-failure.ts';
import { piecesOf, readXml } from './in-pieces.ts';

/** An object of a bucket, as a listing tells of it. */
interface ListedObject {
  readonly key: string;
  readonly etag: string | null;
  readonly modified: string;
  readonly bytes: number | null;
}

/** A page of a listing. Source: Amazon S3 API, ListObjectsV2. */
interface ListedPage {
  readonly objects: readonly ListedObject[];
  /** What the next page is asked for with; null after the last. */
  readonly next: string | null;
}

const fields: ReadonlySet<string> = new Set(['Key', 'ETag', 'LastModified', 'Size']);

/** Reads a page of a listing. Rejects with StudioError `unavailable` for what is none. */
export async function readListing(text: string | Uint8Array): Promise<ListedPage> {
  const wrong = (cause?: unknown) => sourceFailure('not_protocol', { values: { protocol: 'S3' }, cause });
  const objects: ListedObject[] = [];
  let isListing = false;
  let isEncoded = false;
  let isCut = false;
  let next: string | null = null;
  let values: Record<string, string> | null = null;
  let letters = '';
  await readXml(piecesOf(text), wrong, {
    opentag({ local }) {
      letters = '';
      if (local === 'ListBucketResult') isListing = true;
      if (local === 'Contents') values = {};
    },
    text: (part) => void (letters += part),
    closetag({ local }) {
      if (local === 'Contents') {
        const { Key: key = '', ETag: etag = '', LastModified: modified = '', Size: size = '' } = values ?? {};
        const bytes = /^\d{1,15}$/.test(size) ? Number(size) : null;
        objects.push({ key, etag: etag || null, modified, bytes });
        values = null;
      } else if (values !== null && fields.has(local)) values[local] = letters;
      else if (local === 'EncodingType') isEncoded = letters === 'url';
      else if (local === 'IsTruncated') isCut = letters === 'true';
      else if (local === 'NextContinuationToken') next = letters;
    },
  });
  if (!isListing || (isCut && next === null)) throw wrong();
  try {
    const plain = (key: string) => (isEncoded ? decodeURIComponent(key.replaceAll('+', ' ')) : key);
    return { objects: objects.map((one) => ({ ...one, key: plain(one.key) })), next: isCut ? next : null };
  } catch (cause) {
    throw wrong(cause);
  }
}
