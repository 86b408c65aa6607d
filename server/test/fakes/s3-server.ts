import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, truncate } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';

/**
 * A fake of S3: objects of one bucket in a folder, by the requests that object storage is used with here. It checks signatures
 * (Signature Version 4), keeps conditions (If-None-Match, If-Match), ranges, uploads in parts, and lists in pages.
 */
export interface FakeS3 {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Keys that are there, in order. */
  keys(prefix?: string): readonly string[];
  /** Uploads in parts that were neither completed nor aborted. */
  openUploads(): number;
  remove(key: string): void;
  /** Cuts an object in half. */
  cut(key: string): Promise<void>;
  /** Answers the next requests that it fits with a failure of the server. */
  failNext(times: number, fits?: (method: string, path: string) => boolean): void;
  close(): Promise<void>;
}

interface Stored {
  readonly file: string;
  readonly size: number;
  readonly etag: string;
  readonly modified: Date;
}

class S3Failure extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string) {
    super(code);
    this.status = status;
    this.code = code;
  }
}

const escapeXml = (value: string) =>
  value.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? sign);
const readXml = (value: string) =>
  value.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" })[name] ?? '',
  );
const hmac = (key: string | Buffer, value: string) => createHmac('sha256', key).update(value).digest();
const encode = (value: string) =>
  encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Throws where a request is not signed with these keys. Source: AWS, Signature Version 4 for requests. */
function checkSignature(request: IncomingMessage, url: URL, keys: { id: string; secret: string }): void {
  const given =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      request.headers.authorization ?? '',
    );
  if (given === null) throw new S3Failure(403, 'AccessDenied');
  const [, id = '', day = '', region = '', names = '', signature = ''] = given;
  if (id !== keys.id) throw new S3Failure(403, 'InvalidAccessKeyId');
  const path = url.pathname
    .split('/')
    .map((part) => encode(decodeURIComponent(part)))
    .join('/');
  const query = [...url.searchParams]
    .map(([key, value]) => `${encode(key)}=${encode(value)}`)
    .toSorted()
    .join('&');
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name] ?? '').trim()}\n`);
  const payload = String(request.headers['x-amz-content-sha256']);
  const canonical = [request.method, path, query, headers.join(''), names, payload].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const hash = createHash('sha256').update(canonical).digest('hex');
  const toSign = ['AWS4-HMAC-SHA256', request.headers['x-amz-date'], scope, hash].join('\n');
  const key = hmac(hmac(hmac(hmac(`AWS4${keys.secret}`, day), region), 's3'), 'aws4_request');
  if (hmac(key, toSign).toString('hex') !== signature) throw new S3Failure(403, 'SignatureDoesNotMatch');
}

/** Starts one, on a free port of this machine. */
export async function startFakeS3(): Promise<FakeS3> {
  const folder = await mkdtemp(join(tmpdir(), 'ai-studio-s3-'));
  const bucket = 'studio';
  const id = 'TESTKEY';
  const secret = randomBytes(16).toString('hex');
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, { readonly key: string; readonly parts: Map<number, Stored> }>();
  let failing = { times: 0, fits: (_method: string, _path: string) => true };

  async function receive(request: IncomingMessage): Promise<Stored> {
    const file = join(folder, randomBytes(12).toString('hex'));
    const md5 = createHash('md5');
    let size = 0;
    await pipeline(
      request,
      async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          md5.update(chunk);
          size += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(file),
    );
    const declared = request.headers['content-length'];
    if (declared !== undefined && Number(declared) !== size) throw new S3Failure(400, 'IncompleteBody');
    return { file, size, etag: `"${md5.digest('hex')}"`, modified: new Date() };
  }

  function keep(key: string, stored: Stored, request: IncomingMessage): void {
    const present = objects.get(key);
    if (request.headers['if-none-match'] === '*' && present !== undefined)
      throw new S3Failure(412, 'PreconditionFailed');
    const wanted = request.headers['if-match'];
    if (wanted !== undefined && present?.etag !== wanted) throw new S3Failure(412, 'PreconditionFailed');
    objects.set(key, stored);
  }

  const found = (key: string): Stored => {
    const stored = objects.get(key);
    if (stored === undefined) throw new S3Failure(404, 'NoSuchKey');
    return stored;
  };
  const xml = (response: ServerResponse, body: string, status = 200) =>
    void response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0" encoding="UTF-8"?>\n${body}`);

  async function send(request: IncomingMessage, response: ServerResponse, key: string): Promise<void> {
    const { file, size, etag, modified } = found(key);
    const range = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? '');
    let [from, to] = [0, size - 1];
    if (range !== null) {
      const [, first = '', last = ''] = range;
      from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
      to = first === '' || last === '' ? size - 1 : Math.min(size - 1, Number(last));
      if (from > to) throw new S3Failure(416, 'InvalidRange');
    }
    response.writeHead(range === null ? 200 : 206, {
      etag,
      'content-length': to - from + 1,
      'last-modified': modified.toUTCString(),
      'accept-ranges': 'bytes',
      ...(range === null ? {} : { 'content-range': `bytes ${from}-${to}/${size}` }),
    });
    if (request.method === 'HEAD' || size === 0) return void response.end();
    await pipeline(createReadStream(file, { start: from, end: to }), response);
  }

  function list(query: URLSearchParams, response: ServerResponse): void {
    const prefix = query.get('prefix') ?? '';
    const delimiter = query.get('delimiter') ?? '';
    const most = Number(query.get('max-keys') ?? 1000);
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const groups = new Set<string>();
    const contents: string[] = [];
    let last = '';
    let isCut = false;
    for (const key of [...objects.keys()].toSorted()) {
      if (!key.startsWith(prefix)) continue;
      const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
      const name = end < 0 ? key : key.slice(0, end + delimiter.length);
      if (name <= after || groups.has(name)) continue;
      if (contents.length + groups.size >= most) {
        isCut = true;
        break;
      }
      last = name;
      if (end >= 0) groups.add(name);
      else {
        const { size, etag, modified } = found(key);
        contents.push(
          `<Contents><Key>${escapeXml(key)}</Key><LastModified>${modified.toISOString()}</LastModified><ETag>${escapeXml(etag)}</ETag><Size>${size}</Size><StorageClass>STANDARD</StorageClass></Contents>`,
        );
      }
    }
    const prefixes = [...groups].map((name) => `<CommonPrefixes><Prefix>${escapeXml(name)}</Prefix></CommonPrefixes>`);
    const next = isCut ? `<NextContinuationToken>${escapeXml(last)}</NextContinuationToken>` : '';
    xml(
      response,
      `<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>${bucket}</Name><Prefix>${escapeXml(prefix)}</Prefix><KeyCount>${contents.length + groups.size}</KeyCount><MaxKeys>${most}</MaxKeys><IsTruncated>${isCut}</IsTruncated>${next}${contents.join('')}${prefixes.join('')}</ListBucketResult>`,
    );
  }

  async function complete(uploadId: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const upload = uploads.get(uploadId);
    if (upload === undefined) throw new S3Failure(404, 'NoSuchUpload');
    const order = [...(await text(request)).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)].map(([, number]) =>
      Number(number),
    );
    const file = join(folder, randomBytes(12).toString('hex'));
    await appendFile(file, '');
    let size = 0;
    for (const number of order) {
      const part = upload.parts.get(number);
      if (part === undefined) throw new S3Failure(400, 'InvalidPart');
      if (part.size < 5 * 1024 * 1024 && number !== order.at(-1)) throw new S3Failure(400, 'EntityTooSmall');
      await appendFile(file, await readFile(part.file));
      size += part.size;
    }
    const etag = `"${randomBytes(16).toString('hex')}-${order.length}"`;
    keep(upload.key, { file, size, etag, modified: new Date() }, request);
    uploads.delete(uploadId);
    xml(
      response,
      `<CompleteMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${escapeXml(upload.key)}</Key><ETag>${escapeXml(etag)}</ETag></CompleteMultipartUploadResult>`,
    );
  }

  async function put(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    query: URLSearchParams,
  ): Promise<void> {
    const upload = uploads.get(query.get('uploadId') ?? '');
    const source = request.headers['x-amz-copy-source'];
    if (query.has('uploadId') && upload === undefined) throw new S3Failure(404, 'NoSuchUpload');
    if (typeof source === 'string') {
      const from = decodeURIComponent(source).replace(new RegExp(`^/?${bucket}/`), '');
      keep(key, { ...found(from), modified: new Date() }, request);
      xml(response, `<CopyObjectResult><ETag>${escapeXml(found(key).etag)}</ETag></CopyObjectResult>`);
      return;
    }
    const stored = await receive(request);
    if (upload === undefined) keep(key, stored, request);
    else upload.parts.set(Number(query.get('partNumber')), stored);
    response.writeHead(200, { etag: stored.etag }).end();
  }

  async function post(
    request: IncomingMessage,
    response: ServerResponse,
    key: string,
    query: URLSearchParams,
  ): Promise<void> {
    if (query.has('delete')) {
      const keys = [...(await text(request)).matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = '']) => readXml(name));
      for (const name of keys) objects.delete(name);
      const deleted = keys.map((name) => `<Deleted><Key>${escapeXml(name)}</Key></Deleted>`);
      xml(response, `<DeleteResult>${deleted.join('')}</DeleteResult>`);
    } else if (query.has('uploads')) {
      const uploadId = randomBytes(8).toString('hex');
      uploads.set(uploadId, { key, parts: new Map() });
      xml(
        response,
        `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${escapeXml(key)}</Key><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`,
      );
    } else await complete(query.get('uploadId') ?? '', request, response);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    checkSignature(request, url, { id, secret });
    const [, name, ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const key = rest.join('/');
    const method = request.method ?? '';
    if (failing.times > 0 && failing.fits(method, key)) {
      failing.times--;
      request.resume();
      throw new S3Failure(503, 'SlowDown');
    }
    if (name !== bucket) throw new S3Failure(404, 'NoSuchBucket');
    const query = url.searchParams;
    if (key === '' && method === 'GET') list(query, response);
    else if (method === 'GET' || method === 'HEAD') await send(request, response, key);
    else if (method === 'PUT') await put(request, response, key, query);
    else if (method === 'POST') await post(request, response, key, query);
    else if (method === 'DELETE') {
      if (query.has('uploadId')) uploads.delete(query.get('uploadId') ?? '');
      else objects.delete(key);
      response.writeHead(204).end();
    } else throw new S3Failure(405, 'MethodNotAllowed');
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) return void response.destroy();
      const { status, code } = error instanceof S3Failure ? error : { status: 500, code: 'InternalError' };
      xml(response, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`, status);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    accessKeyId: id,
    secretAccessKey: secret,
    keys: (prefix = '') => [...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted(),
    openUploads: () => uploads.size,
    remove: (key) => void objects.delete(key),
    async cut(key) {
      const stored = found(key);
      const size = Math.floor(stored.size / 2);
      await truncate(stored.file, size);
      objects.set(key, { ...stored, size });
    },
    failNext(times, fits = () => true) {
      failing = { times, fits };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
