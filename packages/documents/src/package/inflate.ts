import zlib, { constants, createInflateRaw, inflateRawSync } from 'node:zlib';

/** What came out of one packed part. */
export interface Inflated {
  readonly bytes: Uint8Array;
  /** It ended early or held what means nothing; `bytes` is what came out before. */
  readonly damaged: boolean;
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

/** Collects what comes out of a damaged stream until it breaks, at most `limit` bytes. */
async function inflateWhatIsIntact(packed: Uint8Array, limit: number): Promise<Uint8Array | null> {
  const stream = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    stream.end(packed);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limit) return null;
      chunks.push(chunk);
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // What came before is kept.
  } finally {
    stream.destroy();
  }
  return Buffer.concat(chunks);
}

/** Inflates raw deflate data; null where more than `limit` bytes would come out. `crc` 0: it is not known. */
export type InflatePart = (packed: Uint8Array, limit: number, size: number, crc: number) => Promise<Inflated | null>;

export const inflate: InflatePart = async (packed, limit, size, crc) => {
  try {
    const bytes = inflateRawSync(packed, {
      maxOutputLength: Math.max(1, limit),
      finishFlush: constants.Z_SYNC_FLUSH,
      chunkSize: Math.min(1 << 20, Math.max(1 << 12, size)),
    });
    return { bytes, damaged: crc !== 0 && zlib.crc32(bytes) !== crc };
  } catch (error) {
    if (isCode(error, 'ERR_BUFFER_TOO_LARGE')) return null;
    const bytes = await inflateWhatIsIntact(packed, limit);
    return bytes === null ? null : { bytes, damaged: true };
  }
};
