import type { Busboy } from '@fastify/busboy';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { StudioError, invalidRequest } from '../kernel/errors.ts';
import { plainFileName } from '../kernel/file-name.ts';

export interface UploadOptions {
  /** Where files are kept while they are worked on. */
  readonly folder: string;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Name of the field with the file, `file` where left out; null for any. */
  readonly fileField?: string | null;
  /** Fields that may come several times: their values have commas between. */
  readonly lists?: readonly string[];
}

/** A form with one file. */
export interface Upload {
  readonly path: string;
  /** As the client called it, without any path. */
  readonly name: string | null;
  readonly bytes: number;
  /** Its other fields, each given once; those whose name ends with `[]` may come several times and have commas between. */
  readonly fields: Readonly<Record<string, string>>;
  /** Removes the file. Safe to repeat. */
  remove(): Promise<void>;
}

const MAX_FIELDS = 50;
const FIELD_BYTES = 1024 * 1024;

/** Percent-encoded forms that browsers use for quotes and line breaks in file names. Source: HTML, multipart/form-data encoding. */
const escapes = { '%22': '"', '%0A': '\n', '%0D': '\r' } as const;

/** The name of a file as people see it: browsers send UTF-8, some a whole path. */
function nameOf(given: string | undefined): string | null {
  const last = given?.split(/[/\\]/).at(-1) ?? '';
  return plainFileName(last.replaceAll(/%22|%0A|%0D/g, (sign) => escapes[sign as keyof typeof escapes])) || null;
}

const tooLarge = (maxBytes: number) =>
  new StudioError('too_large', `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB`, { param: 'file' });

/**
 * Reads a form (`multipart/form-data`) whose field `file` is a file, to the disk. Errors: `unsupported_media_type`,
 * `invalid_request` (no file, more than one, a field twice, a broken form), `too_large`, `client_closed`, and the reason of the
 * signal.
 */
export async function readUpload(req: IncomingMessage, options: UploadOptions): Promise<Upload> {
  const { maxBytes } = options;
  const type = req.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    throw new StudioError('unsupported_media_type', 'The Content-Type must be multipart/form-data with a boundary');
  // The whole form is a little longer than its file.
  if (Number(req.headers['content-length'] ?? 0) > maxBytes + MAX_FIELDS * FIELD_BYTES) throw tooLarge(maxBytes);
  return inFolder(options, (path) => readForm(req, type, path, options));
}

/** Has a file be written in a folder of its own, which goes where that fails. */
async function inFolder(
  { folder }: Pick<UploadOptions, 'folder'>,
  write: (path: string) => Promise<Pick<Upload, 'name' | 'bytes' | 'fields'>>,
): Promise<Upload> {
  const uploadFolder = await mkdtemp(join(folder, 'upload-'));
  const path = join(uploadFolder, 'file');
  const remove = () => rm(uploadFolder, { recursive: true, force: true });
  try {
    return { ...(await write(path)), path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The name that a request gives its file: of `X-Filename`, else of `Content-Disposition`, percent-encoded or not. */
function headerName({ headers }: IncomingMessage): string | null {
  const given = headers['x-filename'];
  const disposition = headers['content-disposition'] ?? '';
  const encoded = /filename\*=(?:utf-8)?''([^;\s]+)/i.exec(disposition)?.[1];
  const quoted = /filename="([^"]*)"|filename=([^;\s]+)/i.exec(disposition);
  const name = (typeof given === 'string' ? given : undefined) ?? encoded ?? quoted?.[1] ?? quoted?.[2];
  try {
    return nameOf(name === undefined ? undefined : decodeURIComponent(name));
  } catch {
    return nameOf(name);
  }
}

/**
 * Reads a body that is a file, to the disk, whatever its Content-Type. Errors: `unsupported_media_type` (it is compressed),
 * `invalid_request` (it is empty), `too_large`, `client_closed`, and the reason of the signal.
 */
export async function readFileBody(
  req: IncomingMessage,
  { maxBytes, signal, ...options }: UploadOptions,
): Promise<Upload> {
  const { 'content-encoding': encoding = 'identity', 'content-length': length = '0' } = req.headers;
  if (encoding !== 'identity')
    throw new StudioError('unsupported_media_type', 'The body must not be compressed (Content-Encoding)');
  if (Number(length) > maxBytes) throw tooLarge(maxBytes);
  return inFolder(options, async (path) => {
    const target = createWriteStream(path, { mode: 0o600 });
    let bytes = 0;
    const measure = new Transform({
      transform(part: Buffer, _encoding, done) {
        bytes += part.length;
        done(bytes > maxBytes ? tooLarge(maxBytes) : null, part);
      },
    });
    const written = pipeline(measure, target);
    written.catch(() => undefined);
    try {
      await pipeInto(req, measure, signal);
      await written;
    } catch (error) {
      measure.destroy();
      throw target.errored ?? error;
    }
    if (bytes === 0) throw invalidRequest('The body is empty; send the bytes of the file', null);
    return { name: headerName(req), bytes, fields: {} };
  });
}

/** Pipes the body into the form parser. Keeps the connection open, so that a broken form gets a reply, and discards the rest of the body. */
function pipeInto(req: IncomingMessage, form: NodeJS.WritableStream, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => {
      req.unpipe(form);
      req.resume();
      reject(error);
    };
    const brokeOff = () => fail(new StudioError('client_closed', 'The upload broke off'));
    const end = () => (signal.reason instanceof StudioError ? fail(signal.reason) : brokeOff());
    form.once('finish', resolve);
    form.on('error', fail);
    req.once('close', () => {
      if (!req.complete) brokeOff();
    });
    if (signal.aborted) end();
    // It left before anybody read.
    else if (req.destroyed) brokeOff();
    else signal.addEventListener('abort', end, { once: true });
    req.pipe(form);
  });
}

/** Reads the parts of a form. Throws StudioError `invalid_request` where its Content-Type names no boundary that can be looked for. */
async function openForm(req: IncomingMessage, type: string, maxBytes: number): Promise<InstanceType<typeof Busboy>> {
  // Loaded with the first form.
  const { Busboy: Form } = await import('@fastify/busboy');
  try {
    return new Form({
      headers: { ...req.headers, 'content-type': type },
      limits: { fileSize: maxBytes, files: 2, fields: MAX_FIELDS, fieldSize: FIELD_BYTES, parts: MAX_FIELDS + 2 },
    });
  } catch (cause) {
    throw new StudioError('invalid_request', 'The Content-Type must name a boundary of at most 70 characters', {
      cause,
    });
  }
}

async function readForm(
  req: IncomingMessage,
  type: string,
  path: string,
  { maxBytes, signal, fileField = 'file', lists = [] }: UploadOptions,
): Promise<Pick<Upload, 'name' | 'bytes' | 'fields'>> {
  const fields: Record<string, string> = {};
  const files: { name: string | null; bytes: number; target: WriteStream; done: Promise<void> }[] = [];
  const refusals: StudioError[] = [];
  const refuse = (error: StudioError) => void refusals.push(error);
  const writeErrors: Error[] = [];
  const form = await openForm(req, type, maxBytes);
  form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (valueCut) refuse(invalidRequest(`The field ${name} is too long`, name));
    else if (!Object.hasOwn(fields, name)) fields[name] = value;
    else if (name.endsWith('[]') || lists.includes(name)) fields[name] += `,${value}`;
    else refuse(invalidRequest(`The form gives the field ${name.slice(0, 100)} more than once`, name));
  });
  form.on(
    'file',
    (field: string, stream: NodeJS.ReadableStream & { truncated?: boolean }, filename: string | undefined) => {
      const isOwn = fileField === null || field === fileField;
      if (!isOwn || files.length > 0) {
        refuse(
          invalidRequest(
            files.length > 0 ? 'The form holds more than one file' : `The file stands in the field "${fileField}"`,
            fileField,
          ),
        );
        stream.resume();
        return;
      }
      const target = createWriteStream(path, { mode: 0o600 });
      const file = { name: nameOf(filename), bytes: 0, target, done: Promise.resolve() };
      stream.on('data', (part: Buffer) => (file.bytes += part.length));
      stream.on('limit', () => refuse(tooLarge(maxBytes)));
      // The form would wait for ever for somebody to read its file.
      target.once('error', (error) => {
        writeErrors.push(error);
        form.emit('error', error);
      });
      file.done = pipeline(stream, target);
      file.done.catch(() => undefined);
      files.push(file);
    },
  );
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'])
    form.on(event, () => refuse(invalidRequest('The form has too many parts', null)));
  try {
    await pipeInto(req, form, signal);
    await Promise.all(files.map(({ done }) => done));
  } catch (error) {
    // A form that broke off never ends its file.
    for (const { target } of files) target.destroy();
    // What the disk refuses breaks the form too.
    if (writeErrors[0] !== undefined) throw writeErrors[0];
    if (error instanceof StudioError) throw error;
    throw refusals[0] ?? invalidRequest('The form (multipart/form-data) is broken', null);
  }
  const [refused] = refusals;
  if (refused !== undefined) throw refused;
  const [file] = files;
  if (file === undefined)
    throw invalidRequest(`The form has no file; send it in the field "${fileField ?? 'file'}"`, fileField ?? 'file');
  return { name: file.name, bytes: file.bytes, fields };
}
