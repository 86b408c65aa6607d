import { posix } from 'node:path';
import type { UploadFields } from '@ai-studio/contract/retrieval/document.ts';
import { type ArchiveLimits, ParseError, unpackArchive } from '@ai-studio/documents';
import type { Actor } from '../../../kernel/actor.ts';
import { StudioError } from '../../../kernel/errors.ts';
import { findOwnCollection } from '../../collections/rows.ts';
import type { RetrievalDeps } from '../../deps.ts';
import { parseIndexedFields, parseMetadata } from '../metadata.ts';
import { uploadDocument } from '../upload.ts';
import { addTexts, type TextToAdd, textToAdd } from './add-texts.ts';
import { linesOf, parseLine } from './lines.ts';

// Many documents by one call: each line or file is answered by itself, and what is wrong with one keeps no other out.

/** What became of one line or file. */
export interface BulkOutcome {
  /** Of the line, or of the file in the order in which they come, from 1. */
  readonly line: number;
  readonly documentId: string | null;
  readonly documentName: string | null;
  readonly externalId: string | null;
  /** Why it was refused; null where it is being taken in. */
  readonly error: StudioError | null;
}

/** A file of a bulk upload, in the order in which they come. */
export interface BulkFile {
  readonly path: string;
  /** With folders before it where it has any. */
  readonly name: string | null;
  readonly bytes: number;
}

const refused = (line: number, error: unknown, documentName: string | null = null): BulkOutcome => {
  // What is wrong with the service itself is not the fault of a line.
  if (!(error instanceof StudioError)) throw error;
  return { line, documentId: null, documentName, externalId: null, error };
};

/** Texts that are put away by one transaction. */
const BATCH = 200;
const BATCH_BYTES = 4 * 1024 * 1024;

/** A line that was read: a text, or what is wrong with it. */
type Read = { readonly line: number } & ({ readonly text: TextToAdd } | { readonly error: unknown });

/**
 * Adds the texts of a file of lines of JSON (NDJSON). One outcome for each line that is not blank, in their order, as soon as it is known; the
 * caller may stop asking. Throws StudioError `not_found`, `forbidden`, and `unavailable` where the service cannot keep anything.
 */
export async function* addLines(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  path: string,
): AsyncGenerator<BulkOutcome, void, undefined> {
  const collection = await findOwnCollection(deps.db.query, actor, collectionId, 'collection_id');
  let open: Read[] = [];
  let bytes = 0;
  async function* flush() {
    const batch = open;
    [open, bytes] = [[], 0];
    const texts = batch.flatMap((one) => ('text' in one ? [one.text] : []));
    let failure: StudioError | null = null;
    try {
      await addTexts(deps, actor, collection, texts);
    } catch (error) {
      // Too many that wait are told line by line, so that the caller knows which to send again.
      if (!(error instanceof StudioError && error.code === 'rate_limited')) throw error;
      failure = error;
    }
    for (const one of batch)
      if ('error' in one) yield refused(one.line, one.error);
      else if (failure !== null) yield refused(one.line, failure, one.text.name);
      else {
        const { id: documentId, name: documentName, externalId } = one.text;
        yield { line: one.line, documentId, documentName, externalId, error: null };
      }
  }
  for await (const one of linesOf(path)) {
    const { line } = one;
    try {
      if ('error' in one) throw one.error;
      const read = textToAdd(collection, parseLine(one.text));
      open.push({ line, text: read });
      bytes += read.bytes;
    } catch (error) {
      open.push({ line, error });
    }
    if (open.length >= BATCH || bytes >= BATCH_BYTES) yield* flush();
  }
  yield* flush();
}

/** One file of a bulk upload, with its folders as the metadata field `folder`, as the console has it. */
async function addFile(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  { line, file, fields }: { readonly line: number; readonly file: BulkFile; readonly fields: UploadFields },
): Promise<BulkOutcome> {
  const { dir, base } = posix.parse(file.name ?? '');
  try {
    const metadata = dir === '' ? fields.metadata : JSON.stringify({ ...asObject(fields.metadata), folder: dir });
    const given = { ...file, name: base, fields: metadata === undefined ? fields : { ...fields, metadata } };
    const added = await uploadDocument(deps, actor, collectionId, given);
    const { document_id: documentId, document_name: documentName, external_id: externalId } = added;
    return { line, documentId, documentName, externalId, error: null };
  } catch (error) {
    if (error instanceof StudioError && (error.code === 'unavailable' || error.code === 'not_found')) throw error;
    return refused(line, error, file.name);
  }
}

/** The metadata of a form; what is no object is refused by the upload. */
function asObject(metadata: string | undefined): object {
  try {
    const value: unknown = JSON.parse(metadata ?? '{}');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}

/** Whether a name is that of an archive, whose files are documents; other packages (HWPX, DOCX) are documents themselves. */
const isArchiveName = (name: string | null): boolean => /\.zip$/i.test(name ?? '');

export interface BulkFiles {
  readonly files: AsyncIterable<BulkFile>;
  /** Of each of them. */
  readonly fields: UploadFields;
  /** Where a file of an archive may lie while it is worked on. */
  readonly scratch: string;
  readonly limits: ArchiveLimits;
}

/**
 * Adds files, and the files of archives among them, each as an upload of its own would be. One outcome for each file, in their order, as soon as it
 * is known. Throws StudioError `not_found`, `forbidden`, `unavailable`.
 */
export async function* addFiles(
  deps: RetrievalDeps,
  actor: Actor,
  collectionId: string,
  { files, fields, scratch, limits }: BulkFiles,
): AsyncGenerator<BulkOutcome, void, undefined> {
  await findOwnCollection(deps.db.query, actor, collectionId, 'collection_id');
  parseMetadata(fields.metadata);
  parseIndexedFields(fields.indexed_fields);
  let line = 0;
  for await (const file of files) {
    if (!isArchiveName(file.name)) {
      yield await addFile(deps, actor, collectionId, { line: ++line, file, fields });
      continue;
    }
    try {
      for await (const { path: name, failure, bytes } of unpackArchive(file.path, scratch, limits)) {
        line++;
        yield failure === null
          ? await addFile(deps, actor, collectionId, { line, file: { path: scratch, name, bytes }, fields })
          : refused(line, asStudioError(failure), name);
      }
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      yield refused(++line, asStudioError(error), file.name);
    }
  }
}

/** A failure of an archive, as an upload of the file alone would have it. */
function asStudioError({ code, message }: ParseError): StudioError {
  const kind = code === 'TOO_LARGE' ? 'too_large' : 'unprocessable';
  return new StudioError(kind, `${code}: ${message}`, { param: 'file' });
}
