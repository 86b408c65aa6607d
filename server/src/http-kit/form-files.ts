import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { invalidRequest, StudioError } from '../kernel/errors.ts';
import { plainFileName } from '../kernel/file-name.ts';

/** A file of a form. */
interface FormFile {
  readonly path: string;
  /** As the client called it, with the folders before it; null where it has no name. */
  readonly name: string | null;
  readonly bytes: number;
}

/** A form with any number of files. */
export interface FormFiles {
  /** In their order. */
  readonly files: readonly FormFile[];
  /** Its other fields, each given once. */
  readonly fields: Readonly<Record<string, string>>;
  /** Removes the files. Safe to repeat. */
  remove(): Promise<void>;
}

const MAX_FILES = 1_000;
const MAX_FIELDS = 50;
const FIELD_BYTES = 1024 * 1024;

/** Folders of a name as a browser sends them for a folder that was picked; none that leads out of it. */
function nameOf(given: string | undefined): string | null {
  const parts = (given ?? '').split(/[/\\]/).map(plainFileName);
  return parts.filter((part) => part !== '' && part !== '.' && part !== '..').join('/') || null;
}

/**
 * Reads a form (`multipart/form-data`) that lies on the disk, with all its files, to the folder. Throws StudioError `invalid_request` for a form that
 * is broken, has no file, more than 1,000 or a field twice.
 */
export async function readFormFiles(path: string, type: string, folder: string): Promise<FormFiles> {
  const { Busboy } = await import('@fastify/busboy');
  let form: InstanceType<typeof Busboy>;
  try {
    form = new Busboy({
      headers: { 'content-type': type },
      preservePath: true,
      limits: { files: MAX_FILES + 1, fields: MAX_FIELDS, fieldSize: FIELD_BYTES, parts: MAX_FILES + MAX_FIELDS + 1 },
    });
  } catch (cause) {
    throw new StudioError('invalid_request', 'The Content-Type must name a boundary of at most 70 characters', {
      cause,
    });
  }
  const own = await mkdtemp(join(folder, 'form-'));
  const remove = () => rm(own, { recursive: true, force: true });
  const files: { path: string; name: string | null; bytes: number; done: Promise<void> }[] = [];
  const fields: Record<string, string> = {};
  const refusals: StudioError[] = [];
  form.on('field', (name: string, value: string, _nameCut: boolean, valueCut: boolean) => {
    if (valueCut) refusals.push(invalidRequest(`The field ${name} is too long`, name));
    else if (Object.hasOwn(fields, name))
      refusals.push(invalidRequest(`The form gives the field ${name.slice(0, 100)} more than once`, name));
    else fields[name] = value;
  });
  form.on('file', (_field: string, stream: NodeJS.ReadableStream, filename: string | undefined) => {
    const target = join(own, String(files.length));
    const file = { path: target, name: nameOf(filename), bytes: 0, done: Promise.resolve() };
    stream.on('data', (part: Buffer) => (file.bytes += part.length));
    file.done = pipeline(stream, createWriteStream(target, { mode: 0o600 }));
    // The form would wait for ever for somebody to read its file.
    file.done.catch((error: unknown) => form.destroy(error as Error));
    files.push(file);
  });
  for (const event of ['filesLimit', 'fieldsLimit', 'partsLimit'])
    form.on(event, () =>
      refusals.push(invalidRequest(`The form has too many parts; at most ${MAX_FILES} files`, null)),
    );
  try {
    await pipeline(createReadStream(path), form).catch((cause: unknown) => {
      if (cause instanceof Error && 'syscall' in cause) throw cause;
      throw new StudioError('invalid_request', 'The form (multipart/form-data) is broken', { cause });
    });
    await Promise.all(files.map(({ done }) => done));
    const [refused] = refusals;
    if (refused !== undefined) throw refused;
    if (files.length === 0) throw invalidRequest('The form has no file', 'file');
    return { files, fields, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}
