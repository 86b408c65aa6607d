import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { type FileResponse, PartUnusable, requestFile } from './exchange.ts';
import { type Cause, causeOf } from '../cause.ts';
import type { ReadExtent } from '../folder.ts';
import { type Origin, notesFolder, writeOrigin } from '../origin.ts';
import type { Source } from './source.ts';

/** Progress of a download. */
export interface Progress {
  readonly phase: 'downloading' | 'verifying';
  readonly bytes: number;
  /** Null where the server does not tell it. */
  readonly total: number | null;
  /** A message for people, such as a pause that the server asked for; null while all is well. */
  readonly message: string | null;
  /** Cause of the message. */
  readonly cause: Cause | null;
}

export interface DownloadOptions {
  /** Folder in which the file appears once it is complete and verified. */
  readonly folder: string;
  readonly token: string | null;
  /** Null for files other than GGUF, which are verified by size and checksum only. */
  readonly readExtent: ReadExtent | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Pause before the first retry; doubles with each attempt without progress. */
  readonly pauseMs?: number;
  /** Whether files without a checksum are refused. */
  readonly requireChecksum?: boolean;
  /** Waits `ms` milliseconds; rejects with the signal's reason. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Stored metadata of a part, to continue it later. */
interface Remembered {
  readonly url: string;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly total: number | null;
}

/** Maximum number of consecutive attempts without progress. */
const MAX_ATTEMPTS = 5;
/** Longest pause that a server may ask for; beyond it the download fails. */
const MAX_WAIT_SECONDS = 300;
const GGUF_MAGIC = Buffer.from('GGUF');
/** Disk space that stays free. */
const SPARE_BYTES = 256 * 1024 * 1024;

const sleep = (ms: number, signal: AbortSignal) =>
  delay(ms, undefined, { signal }).catch((error: unknown) => {
    // The signal's reason says more than the error of the timer.
    signal.throwIfAborted();
    throw error;
  });

/** The download of one file. */
class Download {
  readonly #source: Source;
  readonly #options: DownloadOptions;
  readonly #part: string;
  readonly #note: string;
  #remembered: Remembered;
  #hash: Hash = createHash('sha256');
  #bytes = 0;

  constructor(source: Source, options: DownloadOptions) {
    const notes = notesFolder(options.folder);
    this.#source = source;
    this.#options = options;
    this.#part = join(notes, `${source.name}.part`);
    this.#note = join(notes, `${source.name}.json`);
    this.#remembered = { url: source.url, etag: null, sha256: null, total: null };
  }

  async run(): Promise<Origin['check']> {
    await this.#resume();
    const initialPauseMs = this.#options.pauseMs ?? 1_000;
    let pauseMs = initialPauseMs;
    for (let idleAttempts = 0; ;) {
      const previousBytes = this.#bytes;
      try {
        await this.#attempt();
        return await this.#finish();
      } catch (error) {
        this.#options.signal.throwIfAborted();
        const isFinal = error instanceof StudioError && error.code !== 'unavailable';
        if (isFinal || (idleAttempts === MAX_ATTEMPTS - 1 && this.#bytes === previousBytes)) throw this.#explain(error);
        if (error instanceof PartUnusable) await this.#restart();
        idleAttempts = this.#bytes > previousBytes ? 0 : idleAttempts + 1;
        await this.#pause(error, pauseMs);
        pauseMs = this.#bytes > previousBytes ? initialPauseMs : pauseMs * 2;
      }
    }
  }

  /** Waits before the next attempt: `ms`, or as long as the server asks for. Throws where that is too long. */
  async #pause(error: unknown, ms: number): Promise<void> {
    const { signal, onProgress, wait = sleep } = this.#options;
    const requestedSeconds = error instanceof StudioError ? error.retryAfterSeconds : undefined;
    if (requestedSeconds !== undefined && requestedSeconds > MAX_WAIT_SECONDS) {
      throw new StudioError(
        'unavailable',
        `${(error as StudioError).message}; it asks to come back in ${requestedSeconds} seconds. What came is kept; pull it again then`,
        {
          retryAfterSeconds: requestedSeconds,
          cause: error,
          reason: 'download_busy',
          values: { seconds: requestedSeconds },
        },
      );
    }
    const waitMs = Math.max(ms, (requestedSeconds ?? 0) * 1000);
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}; trying again in ${Math.ceil(waitMs / 1000)} s${requestedSeconds === undefined ? '' : ', as it asks'}`;
    const cause = causeOf(error) ?? causeOf(this.#unreachable(error));
    onProgress({ phase: 'downloading', bytes: this.#bytes, total: this.#remembered.total, message, cause });
    await wait(waitMs, signal);
  }

  #explain(error: unknown): StudioError {
    return error instanceof StudioError ? error : this.#unreachable(error);
  }

  #unreachable(error: unknown): StudioError {
    const reason = error instanceof Error ? error.message : String(error);
    const { code } = error as NodeJS.ErrnoException;
    return new StudioError(
      'unavailable',
      `${this.#source.name} could not be downloaded: ${reason}. What came is kept; try again to go on`,
      {
        cause: error,
        ...(code === 'ENOSPC' || code === 'EDQUOT'
          ? { reason: 'disk_full' }
          : { reason: 'download_cut', values: { host: new URL(this.#source.url).hostname } }),
      },
    );
  }

  /** Continues a part of an earlier run with the same address. */
  async #resume(): Promise<void> {
    // A killed process may leave a truncated note, which does not count.
    const saved = await readFile(this.#note, 'utf8')
      .then((json) => JSON.parse(json) as Remembered)
      .catch(() => null);
    const size = await stat(this.#part).then(
      (found) => found.size,
      () => 0,
    );
    if (saved?.url !== this.#source.url || size === 0) return this.#restart();
    this.#remembered = saved;
    for await (const bytes of createReadStream(this.#part)) {
      this.#options.signal.throwIfAborted();
      this.#hash.update(bytes as Buffer);
    }
    this.#bytes = size;
  }

  async #restart(): Promise<void> {
    await rm(this.#part, { force: true });
    this.#hash = createHash('sha256');
    this.#bytes = 0;
    this.#remembered = { url: this.#source.url, etag: null, sha256: null, total: null };
  }

  async #attempt(): Promise<void> {
    const { total } = this.#remembered;
    if (total !== null && this.#bytes === total) return;
    const { token, signal } = this.#options;
    // Without any of them, the rest might belong to another version.
    const { etag, sha256 } = this.#remembered;
    if ((etag ?? sha256 ?? this.#source.sha256) === null) await this.#restart();
    const response = await requestFile(this.#source.url, { have: this.#bytes, etag, token, signal });
    this.#requireSize(response);
    // The server does not continue, or the file has changed.
    if (response.offset === 0 && this.#bytes > 0) await this.#restart();
    this.#remembered = { url: this.#source.url, etag: response.etag, sha256: response.sha256, total: response.total };
    await writeFile(this.#note, JSON.stringify(this.#remembered));
    await this.#requireRoom(response);
    const file = await open(this.#part, this.#bytes === 0 ? 'w' : 'a');
    try {
      // A failed write, as on a full disk, has left bytes that were not counted.
      await file.truncate(this.#bytes);
      await this.#read(response, file);
      await file.sync();
    } finally {
      response.body.destroy();
      await file.close();
    }
  }

  /** Refuses a file of another size than the pinned one before it is downloaded. */
  #requireSize({ total, body }: FileResponse): void {
    const { name, url, bytes } = this.#source;
    if (bytes === undefined || total === null || total === bytes) return;
    body.destroy();
    throw new StudioError(
      'invalid_request',
      `${new URL(url).hostname} has another ${name} than it should: ${total} bytes, not ${bytes}`,
      { reason: 'download_wrong' },
    );
  }

  async #requireRoom({ total }: FileResponse): Promise<void> {
    if (total === null) return;
    const { bavail, bsize } = await statfs(this.#options.folder);
    const missing = total - this.#bytes + SPARE_BYTES - bavail * bsize;
    if (missing <= 0) return;
    throw new StudioError(
      'conflict',
      `The disk of ${this.#options.folder} has too little room for ${this.#source.name}: ${Math.ceil(missing / 1e6)} MB more are needed`,
      { reason: 'disk_full' },
    );
  }

  async #read({ body, total }: FileResponse, file: FileHandle): Promise<void> {
    for await (const bytes of body) {
      if (total !== null && this.#bytes + bytes.length > total) {
        await this.#discard();
        throw new StudioError(
          'invalid_request',
          `The server sends more than the ${total} bytes that it announced for ${this.#source.name}`,
          { reason: 'download_wrong' },
        );
      }
      if (this.#options.readExtent !== null && this.#bytes < GGUF_MAGIC.length) await this.#requireModel(bytes);
      for (let writtenBytes = 0; writtenBytes < bytes.length;)
        writtenBytes += (await file.write(bytes, writtenBytes)).bytesWritten;
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
      this.#options.onProgress({ phase: 'downloading', bytes: this.#bytes, total, message: null, cause: null });
    }
    if (total !== null && this.#bytes < total)
      throw new Error(`the connection ended ${total - this.#bytes} bytes too early`);
  }

  /** Checks the first bytes, to refuse a page of a proxy or a file of another kind. */
  async #requireModel(bytes: Buffer): Promise<void> {
    const expected = GGUF_MAGIC.subarray(this.#bytes, this.#bytes + bytes.length);
    if (bytes.subarray(0, expected.length).equals(expected)) return;
    await this.#discard();
    throw new StudioError('invalid_request', `What the server sends for ${this.#source.name} is no GGUF file`, {
      reason: 'not_a_model_file',
    });
  }

  async #discard(): Promise<void> {
    await this.#restart();
    await rm(this.#note, { force: true });
  }

  /** Checks the content, as a server without size and checksum may have sent anything. */
  async #problem(): Promise<string | null> {
    const extent = await this.#options.readExtent?.(this.#part);
    if (extent === undefined) return this.#bytes === 0 ? 'it is empty' : null;
    if ('problem' in extent) return extent.problem;
    return extent.end > this.#bytes ? `only ${this.#bytes} of its ${extent.end} bytes came` : null;
  }

  async #finish(): Promise<Origin['check']> {
    const { folder, onProgress, requireChecksum = false } = this.#options;
    const { total } = this.#remembered;
    const { name, url } = this.#source;
    onProgress({ phase: 'verifying', bytes: this.#bytes, total, message: null, cause: null });
    const sha256 = this.#hash.digest('hex');
    const expected = this.#source.sha256 ?? this.#remembered.sha256;
    if (expected !== null && expected !== sha256) {
      await this.#discard();
      throw new StudioError(
        'invalid_request',
        `${name} has another checksum than it should (SHA-256 ${sha256}, not ${expected}); it is thrown away`,
        { reason: 'checksum_wrong' },
      );
    }
    if (expected === null && requireChecksum) {
      await this.#discard();
      throw new StudioError(
        'invalid_request',
        `${new URL(url).hostname} gives no checksum for ${name}, and local_models.require_checksum asks for one; it is thrown away`,
        { reason: 'checksum_missing' },
      );
    }
    const problem = await this.#problem();
    if (problem !== null) {
      await this.#discard();
      throw new StudioError('invalid_request', `${name} cannot be used: ${problem}; it is thrown away`, {
        reason: 'not_a_model_file',
      });
    }
    const check = this.#source.sha256 !== null ? 'catalogue' : expected === null ? 'none' : 'hub';
    // Without the query, which may hold personal tokens.
    const address = url.replace(/[?#].*$/, '');
    await writeOrigin(folder, name, { from: address, sha256, check, bytes: this.#bytes });
    await rename(this.#part, join(folder, name));
    await rm(this.#note, { force: true });
    return check;
  }
}

/** Whether the file exists already. Throws StudioError `conflict` for an incomplete one. */
async function isDownloaded(path: string, { readExtent }: DownloadOptions): Promise<boolean> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return false;
  // Other files than GGUF only appear when they are complete.
  if (readExtent === null) return true;
  const extent = await readExtent(path);
  if ('end' in extent && extent.end <= size) return true;
  throw new StudioError('conflict', `There is a file ${path} that is not whole; wait until it is, or remove it first`);
}

/**
 * Downloads a file into a folder: continues the part of an earlier run, retries after a cut, verifies, and renames the file into
 * place. The caller holds the lock of the model. Resolves with the kind of verification; null where the file existed already. Throws
 * StudioError; the part of an aborted download is kept.
 */
export async function downloadFile(source: Source, options: DownloadOptions): Promise<Origin['check'] | null> {
  const { folder, signal } = options;
  await mkdir(notesFolder(folder), { recursive: true });
  if (await isDownloaded(join(folder, source.name), options)) return null;
  signal.throwIfAborted();
  return new Download(source, options).run();
}
