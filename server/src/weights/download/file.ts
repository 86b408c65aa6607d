import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StudioError } from '../../kernel/errors.ts';
import { type Answer, PartUnusable, askFor } from './exchange.ts';
import { type Cause, causeOf } from '../cause.ts';
import type { ReadExtent } from '../folder.ts';
import { type Origin, notesFolder, writeOrigin } from '../origin.ts';
import type { Source } from './source.ts';

/** How far a download is. */
export interface Progress {
  readonly phase: 'downloading' | 'verifying';
  readonly bytes: number;
  /** Null where the server does not say. */
  readonly total: number | null;
  /** What is going on beside that, such as a pause that the server asked for; null while all goes well. */
  readonly message: string | null;
  /** Why there is a message, by its name. */
  readonly cause: Cause | null;
}

export interface DownloadOptions {
  /** Folder in which the file appears, whole and verified or not at all. */
  readonly folder: string;
  readonly token: string | null;
  /** Null for files that are no GGUF: their size and checksum are all that tells. */
  readonly readExtent: ReadExtent | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Before the first repetition; doubles with each that brings nothing. */
  readonly pauseMs?: number;
  /** Whether a file is refused for which there is no checksum. */
  readonly requireChecksum?: boolean;
  /** Waits so many milliseconds; rejects with the signal's reason. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** What is remembered of a part, so that it can be continued. */
interface Remembered {
  readonly url: string;
  readonly etag: string | null;
  readonly sha256: string | null;
  readonly total: number | null;
}

/** Tries in a row that bring nothing. */
const MAX_TRIES = 5;
/** A server that asks for more patience than this is not waited for. */
const MAX_WAIT_SECONDS = 300;
const MAGIC = Buffer.from('GGUF');
/** Left free for everybody else. */
const SPARE_BYTES = 256 * 1024 * 1024;

const sleep = (ms: number, signal: AbortSignal) =>
  delay(ms, undefined, { signal }).catch((error: unknown) => {
    // That of the timer says nothing of why.
    signal.throwIfAborted();
    throw error;
  });

/** One file on its way into the folder. */
class Download {
  readonly #source: Source;
  readonly #options: DownloadOptions;
  readonly #part: string;
  readonly #note: string;
  #remembered: Remembered;
  #hash: Hash = createHash('sha256');
  #bytes = 0;

  constructor(source: Source, options: DownloadOptions) {
    const hidden = notesFolder(options.folder);
    this.#source = source;
    this.#options = options;
    this.#part = join(hidden, `${source.name}.part`);
    this.#note = join(hidden, `${source.name}.json`);
    this.#remembered = { url: source.url, etag: null, sha256: null, total: null };
  }

  async run(): Promise<Origin['check']> {
    await this.#resume();
    const first = this.#options.pauseMs ?? 1_000;
    let pause = first;
    for (let idle = 0; ;) {
      const before = this.#bytes;
      try {
        await this.#attempt();
        return await this.#finish();
      } catch (error) {
        this.#options.signal.throwIfAborted();
        const final = error instanceof StudioError && error.code !== 'unavailable';
        if (final || (idle === MAX_TRIES - 1 && this.#bytes === before)) throw this.#explain(error);
        if (error instanceof PartUnusable) await this.#restart();
        idle = this.#bytes > before ? 0 : idle + 1;
        await this.#pause(error, pause);
        pause = this.#bytes > before ? first : pause * 2;
      }
    }
  }

  /** Waits before the next try: for so long, or as long as the server asks for. Throws where that is too long. */
  async #pause(error: unknown, ms: number): Promise<void> {
    const { signal, onProgress, wait = sleep } = this.#options;
    const asked = error instanceof StudioError ? error.retryAfterSeconds : undefined;
    if (asked !== undefined && asked > MAX_WAIT_SECONDS) {
      throw new StudioError(
        'unavailable',
        `${(error as StudioError).message}; it asks to come back in ${asked} seconds. What came is kept; pull it again then`,
        { retryAfterSeconds: asked, cause: error, reason: 'download_busy', values: { seconds: asked } },
      );
    }
    const waitMs = Math.max(ms, (asked ?? 0) * 1000);
    const reason = error instanceof Error ? error.message : String(error);
    const message = `${reason}; trying again in ${Math.ceil(waitMs / 1000)} s${asked === undefined ? '' : ', as it asks'}`;
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

  /** Takes up a part of an earlier run, of the same address. */
  async #resume(): Promise<void> {
    // A process that was killed may leave half a note: as good as none.
    const kept = await readFile(this.#note, 'utf8')
      .then((json) => JSON.parse(json) as Remembered)
      .catch(() => null);
    const size = await stat(this.#part).then(
      (found) => found.size,
      () => 0,
    );
    if (kept?.url !== this.#source.url || size === 0) return this.#restart();
    this.#remembered = kept;
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
    // Nothing would tell whether the rest is of the same version.
    const { etag, sha256 } = this.#remembered;
    if ((etag ?? sha256 ?? this.#source.sha256) === null) await this.#restart();
    const answer = await askFor(this.#source.url, { have: this.#bytes, etag, token, signal });
    // The server does not continue, or the file is another one by now.
    if (answer.offset === 0 && this.#bytes > 0) await this.#restart();
    this.#remembered = { url: this.#source.url, etag: answer.etag, sha256: answer.sha256, total: answer.total };
    await writeFile(this.#note, JSON.stringify(this.#remembered));
    await this.#requireRoom(answer);
    const file = await open(this.#part, this.#bytes === 0 ? 'w' : 'a');
    try {
      // A write that failed half-way, as on a full disk, has left bytes that were not counted.
      await file.truncate(this.#bytes);
      await this.#read(answer, file);
      await file.sync();
    } finally {
      answer.body.destroy();
      await file.close();
    }
  }

  async #requireRoom({ total }: Answer): Promise<void> {
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

  async #read({ body, total }: Answer, file: FileHandle): Promise<void> {
    for await (const bytes of body) {
      if (total !== null && this.#bytes + bytes.length > total) {
        await this.#discard();
        throw new StudioError(
          'invalid_request',
          `The server sends more than the ${total} bytes that it announced for ${this.#source.name}`,
          { reason: 'download_wrong' },
        );
      }
      if (this.#options.readExtent !== null && this.#bytes < MAGIC.length) await this.#requireModel(bytes);
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten;
      this.#hash.update(bytes);
      this.#bytes += bytes.length;
      this.#options.onProgress({ phase: 'downloading', bytes: this.#bytes, total, message: null, cause: null });
    }
    if (total !== null && this.#bytes < total)
      throw new Error(`the connection ended ${total - this.#bytes} bytes too early`);
  }

  /** A page of a proxy, or a file of another kind, is told by its first bytes. */
  async #requireModel(bytes: Buffer): Promise<void> {
    const wanted = MAGIC.subarray(this.#bytes, this.#bytes + bytes.length);
    if (bytes.subarray(0, wanted.length).equals(wanted)) return;
    await this.#discard();
    throw new StudioError('invalid_request', `What the server sends for ${this.#source.name} is no GGUF file`, {
      reason: 'not_a_model_file',
    });
  }

  async #discard(): Promise<void> {
    await this.#restart();
    await rm(this.#note, { force: true });
  }

  /** A server that gives neither a size nor a checksum may have sent anything. */
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
    const wanted = this.#source.sha256 ?? this.#remembered.sha256;
    if (wanted !== null && wanted !== sha256) {
      await this.#discard();
      throw new StudioError(
        'invalid_request',
        `${name} has another checksum than it should (SHA-256 ${sha256}, not ${wanted}); it is thrown away`,
        { reason: 'checksum_wrong' },
      );
    }
    if (wanted === null && requireChecksum) {
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
    const check = this.#source.sha256 !== null ? 'catalogue' : wanted === null ? 'none' : 'hub';
    // Without what an address may carry for the one who asks.
    const from = url.replace(/[?#].*$/, '');
    await writeOrigin(folder, name, { from, sha256, check, bytes: this.#bytes });
    await rename(this.#part, join(folder, name));
    await rm(this.#note, { force: true });
    return check;
  }
}

/** Whether the file is there already. Throws StudioError `conflict` for one that is not whole. */
async function isThere(path: string, { readExtent }: DownloadOptions): Promise<boolean> {
  const size = await stat(path).then(
    (found) => found.size,
    () => null,
  );
  if (size === null) return false;
  // What is no GGUF file appears whole or not at all.
  if (readExtent === null) return true;
  const extent = await readExtent(path);
  if ('end' in extent && extent.end <= size) return true;
  throw new StudioError('conflict', `There is a file ${path} that is not whole; wait until it is, or remove it first`);
}

/**
 * Downloads a file into a folder: continues what an earlier run left, tries again after a cut, verifies, and lets the file
 * appear in one step. Whoever calls holds the lock of the model. Resolves with what it was verified by; null where the file
 * was there already. Throws StudioError; what came of an aborted download is kept.
 */
export async function downloadFile(source: Source, options: DownloadOptions): Promise<Origin['check'] | null> {
  const { folder, signal } = options;
  await mkdir(notesFolder(folder), { recursive: true });
  if (await isThere(join(folder, source.name), options)) return null;
  signal.throwIfAborted();
  return new Download(source, options).run();
}
