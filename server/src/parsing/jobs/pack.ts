import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Document } from '../document.ts';

// Packed and unpacked beside the requests, not between them.
const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A document as it is kept. */
export const packDocument = (document: Document): Promise<Buffer> => pack(JSON.stringify(document), { level: 4 });

/** A document that was kept by {@link packDocument}. */
export const unpackDocument = async (bytes: Buffer): Promise<Document> =>
  JSON.parse((await unpack(bytes)).toString('utf8')) as Document;
