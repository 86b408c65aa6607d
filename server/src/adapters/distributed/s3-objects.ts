import { Readable } from 'node:stream';
import type { S3mini, UploadPart } from 's3mini';
import { withRetry } from './s3-storage.ts';

/** What is larger goes up in parts of this length, one after the other, so that no file is ever buffered in memory. */
const PART_BYTES = 8 * 1024 * 1024;

/** The stream in pieces of one length; the last one is shorter, and may be empty when it is the only one. */
async function* piecesOf(content: Readable): AsyncGenerator<Buffer, undefined> {
  let buffered: Buffer[] = [];
  let length = 0;
  for await (const chunk of content as AsyncIterable<Buffer | string>) {
    let rest = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (length + rest.length >= PART_BYTES) {
      const cut = PART_BYTES - length;
      yield Buffer.concat([...buffered, rest.subarray(0, cut)]);
      rest = rest.subarray(cut);
      buffered = [];
      length = 0;
    }
    if (rest.length > 0) buffered.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(buffered);
}

async function putParts(s3: S3mini, name: string, first: Buffer, rest: AsyncIterator<Buffer>): Promise<number> {
  const uploadId = await withRetry(() => s3.getMultipartUploadId(name));
  try {
    const parts: UploadPart[] = [];
    let bytes = 0;
    for (let piece: Buffer | undefined = first; piece !== undefined;) {
      const body: Buffer = piece;
      parts.push(await withRetry(() => s3.uploadPart(name, uploadId, body, parts.length + 1)));
      bytes += body.length;
      const next: IteratorResult<Buffer> = await rest.next();
      piece = next.done === true ? undefined : next.value;
    }
    await withRetry(async () => {
      // The storage may say 200 first and then that it failed.
      const { etag } = await s3.completeMultipartUpload(name, uploadId, parts);
      if (!etag) throw Object.assign(new Error('The upload was not completed'), { status: 500 });
    });
    return bytes;
  } catch (error) {
    // The storage's own rule for what is left of uploads removes it where this fails.
    await s3.abortMultipartUpload(name, uploadId).catch(() => undefined);
    throw error;
  }
}

/** Keeps a stream under a name, all of it or nothing, and resolves with its length. */
export async function putObject(s3: S3mini, name: string, content: Readable): Promise<number> {
  const pieces = piecesOf(content);
  const first = await pieces.next();
  const body = first.done === true ? Buffer.alloc(0) : first.value;
  if (body.length === PART_BYTES) return putParts(s3, name, body, pieces);
  await withRetry(() => s3.putObject(name, body));
  return body.length;
}

/** The bytes of a name; null where there are none. */
export async function getObject(s3: S3mini, name: string): Promise<Readable | null> {
  const response = await withRetry(() => s3.getObjectResponse(name));
  if (response === null) return null;
  return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body);
}
