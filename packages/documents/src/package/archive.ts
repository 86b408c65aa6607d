import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ParseError } from '../parse-error.ts';

// Archives of files, which are unpacked to the disk one at a time. What an archive says of its sizes is not believed.

export interface ArchiveLimits {
  /** Files in an archive. */
  readonly entries: number;
  /** Bytes of one file once it is unpacked. */
  readonly entryBytes: number;
  /** Bytes of all files once they are unpacked. */
  readonly totalBytes: number;
}

/** A file of an archive. */
export interface ArchiveEntry {
  /** Folders and name, with `/` between; never leads out of the archive. */
  readonly path: string;
  /** Why it cannot be had; null where it lies at the place that was asked for. */
  readonly failure: ParseError | null;
  /** Once it is unpacked. */
  readonly bytes: number;
}

/** Bit 11 of the general purpose flags: names are UTF-8. Source: APPNOTE.TXT 4.4.4. */
const UTF8_FLAG = 0x800;
/** A file may be this much shorter in its archive; what shrinks more was made to fill disks. Source: DEFLATE reaches 1,032 with one byte repeated. */
const MAX_RATIO = 200;
/** Smaller files may have any ratio. */
const SMALL_BYTES = 1024 * 1024;

/** Names of archives from Korean Windows are in its own encoding, without a sign of it. */
function decodeName(raw: Buffer, flags: number): string {
  if ((flags & UTF8_FLAG) === 0) {
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(raw);
    } catch {
      return new TextDecoder('euc-kr').decode(raw);
    }
  }
  return raw.toString('utf8');
}

/** A path within the archive; null for one that leads out of it. */
function cleanPath(name: string): string | null {
  const clean = name.normalize('NFC').replaceAll('\\', '/').replace(/^\/+/, '');
  if (clean === '' || /^[A-Za-z]:/.test(clean) || clean.includes('\0')) return null;
  return clean.split('/').some((part) => part === '..' || part === '.') ? null : clean;
}

/** What systems put into archives beside the files of people. */
const isClutter = (path: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$|\._)/i.test(path);

const tooLarge = (what: string) => new ParseError('TOO_LARGE', what);

/**
 * The files of a ZIP archive in its order, each unpacked to `target`, where it may be used until the next is asked for. Folders and what systems
 * leave in archives are passed over. A file that cannot be had comes with the reason. Throws ParseError `CORRUPTED` where it is no such
 * archive, `TOO_LARGE` where it holds more files or bytes than may be.
 */
export async function* unpackArchive(
  archive: string,
  target: string,
  limits: ArchiveLimits,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  // Loaded by the first archive: most services never see one.
  const { default: yauzl } = await import('yauzl');
  const zip = await yauzl.openPromise(archive, { decodeStrings: false, validateEntrySizes: false }).catch((cause) => {
    throw new ParseError('CORRUPTED', 'The file is no ZIP archive, or it is damaged.', { cause });
  });
  let entries = 0;
  let left = limits.totalBytes;
  try {
    for await (const entry of zip.eachEntry()) {
      const name = decodeName(entry.fileNameRaw, entry.generalPurposeBitFlag);
      if (name.endsWith('/') || name.endsWith('\\')) continue;
      const path = cleanPath(name);
      if (path !== null && isClutter(path)) continue;
      if (++entries > limits.entries) throw tooLarge(`The archive holds more than ${limits.entries} files.`);
      const failed = (failure: ParseError) => ({ path: path ?? name.replaceAll('..', ''), failure, bytes: 0 });
      if (path === null) yield failed(new ParseError('CORRUPTED', 'Its name leads out of the archive.'));
      else if (entry.isEncrypted())
        yield failed(new ParseError('ENCRYPTED', 'The file is protected by a password; pack it without one.'));
      else {
        const allowed = Math.min(limits.entryBytes, Math.max(SMALL_BYTES, entry.compressedSize * MAX_RATIO));
        let bytes = 0;
        const counter = new Transform({
          transform(chunk: Buffer, _encoding, done) {
            bytes += chunk.length;
            if (bytes > left) done(tooLarge('The archive is too large once it is unpacked.'));
            else done(bytes > allowed ? tooLarge('The file is too large once it is unpacked.') : null, chunk);
          },
        });
        let failure: ParseError | null = null;
        try {
          await pipeline(await zip.openReadStreamPromise(entry), counter, createWriteStream(target, { mode: 0o600 }));
        } catch (error) {
          if (bytes > left) throw error;
          // A disk that is full is no fault of the archive.
          if (error instanceof Error && 'code' in error && String(error.code).startsWith('E') && 'syscall' in error)
            throw error;
          failure =
            error instanceof ParseError ? error : new ParseError('CORRUPTED', 'The file is damaged.', { cause: error });
        }
        left -= bytes;
        yield { path, failure, bytes };
      }
    }
  } catch (error) {
    if (error instanceof ParseError || (error instanceof Error && 'syscall' in error)) throw error;
    throw new ParseError('CORRUPTED', 'The archive is damaged.', { cause: error });
  } finally {
    zip.close();
  }
}
