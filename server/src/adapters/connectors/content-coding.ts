import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { sourceFailure } from '../../ports/source-failure.ts';

// Servers that pack what they send, whether they were asked for it or not. Source: RFC 9110, 8.4.

const openers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};
/** Codings on top of each other that are undone. */
const MAX_CODINGS = 3;

interface Packed {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: AsyncIterable<Uint8Array>;
}

async function* unpackedBy(open: () => Transform, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const plain = open();
  pipeline(Readable.from(body), plain, () => undefined);
  try {
    yield* plain as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (!/^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT)/.test(String((cause as { readonly code?: unknown }).code))) throw cause;
    throw sourceFailure('answer_odd', { cause });
  }
}

/**
 * The headers and the body as they were before they were packed for their way; those of another coding as they are. Whoever reads the body says
 * how long it may become. The body rejects with StudioError `unavailable` where it is damaged.
 */
export function unpacked({ headers, body }: Packed): Packed {
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  const wanted = codings.flatMap((coding) => openers[coding] ?? []);
  if (codings.length === 0 || wanted.length < codings.length || codings.length > MAX_CODINGS) return { headers, body };
  const plain = new Map(headers);
  // They are of what was sent.
  for (const name of ['content-encoding', 'content-length']) plain.delete(name);
  // The last one that was made is the first to be undone.
  return { headers: plain, body: wanted.reduceRight((packed, open) => unpackedBy(open, packed), body) };
}
