import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { ProgramContainer } from './container.ts';
import { SAMPLE_BYTES } from './pcm-file.ts';
import { AudioError, corrupted, tooLong } from './sound.ts';

// Decodes with the program ffmpeg, where it is installed: for containers that no library with a free licence decodes.

/** Environment of the program, without secrets of the service. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LANG: 'C.UTF-8' };

/** Demuxers by container: the program may not guess, since some demuxers read other files. */
const demuxers: Readonly<Record<ProgramContainer, string>> = { mp4: 'mov', aac: 'aac', wma: 'asf', webm: 'matroska' };

/** Shorter output of a damaged file does not count as sound. */
const MIN_DAMAGED_BYTES = 1_000;

interface FfmpegJob {
  readonly path: string;
  /** File to write, as in `DecodeOptions`. */
  readonly target: string;
  readonly container: ProgramContainer;
  /** Display name of the format. */
  readonly format: string;
  readonly sampleRate: number;
  readonly maxSeconds: number;
  readonly signal: AbortSignal;
}

const needsFfmpeg = (format: string): AudioError =>
  new AudioError(
    'needs_ffmpeg',
    `${format} is decoded by the program ffmpeg, which is not installed on the server. Install it (Debian: apt-get install ffmpeg), or convert the file to WAV, MP3, FLAC, Ogg or WebM (Opus, Vorbis)`,
    { format },
  );

export interface Ffmpeg {
  /** Decodes a file to one channel at `sampleRate`. Resolves with its length in seconds. Throws AudioError. */
  decode(job: FfmpegJob): Promise<number>;
  /** Whether the program is there. */
  isInstalled(): Promise<boolean>;
  /** Encodes sound of one channel and 16 bits, little endian, as AAC in ADTS frames. Rejects where the program fails. */
  encodeAac(pcm: Buffer, sampleRate: number, signal: AbortSignal): Promise<Buffer>;
}

/** Time until a failed probe is repeated: the program may be installed while the service runs. */
const PROBE_INTERVAL_MS = 30_000;

/** Uses the program with this name or path, which is probed when it is first needed. */
export function createFfmpeg(program: string): Ffmpeg {
  let lastProbe: { readonly at: number; readonly isInstalled: Promise<boolean> } | null = null;

  const probeProgram = (): Promise<boolean> =>
    new Promise((resolve) => {
      const child = spawn(program, ['-hide_banner', '-version'], { stdio: 'ignore', env });
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
  const isInstalled = async (): Promise<boolean> => {
    const isStale = lastProbe !== null && performance.now() - lastProbe.at > PROBE_INTERVAL_MS;
    if (isStale && !(await lastProbe?.isInstalled)) lastProbe = null;
    lastProbe ??= { at: performance.now(), isInstalled: probeProgram() };
    return lastProbe.isInstalled;
  };

  return {
    isInstalled,
    encodeAac(pcm, sampleRate, signal) {
      const args =
        `-hide_banner -loglevel error -protocol_whitelist pipe -f s16le -ac 1 -ar ${sampleRate} -i pipe:0 -c:a aac -f adts pipe:1`.split(
          ' ',
        );
      return new Promise<Buffer>((resolve, reject) => {
        const stdio: ['pipe', 'pipe', 'ignore'] = ['pipe', 'pipe', 'ignore'];
        const child = spawn(program, args, { stdio, env, signal, killSignal: 'SIGKILL' });
        const parts: Buffer[] = [];
        child.stdout.on('data', (part: Buffer) => parts.push(part));
        // What it does not read it says by its end.
        child.stdin.on('error', () => undefined);
        child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
        child.once('close', (code) =>
          code === 0 ? resolve(Buffer.concat(parts)) : reject(new Error(`ffmpeg ended with ${code}`)),
        );
        child.stdin.end(pcm);
      });
    },
    async decode({ path, target, container, format, sampleRate, maxSeconds, signal }) {
      if (!(await isInstalled())) throw needsFfmpeg(format);
      const args = [
        ...`-hide_banner -nostdin -loglevel error -y -protocol_whitelist file,pipe -f ${demuxers[container]} -i`.split(
          ' ',
        ),
        `file:${path}`,
        ...`-map 0:a:0 -vn -sn -dn -t ${maxSeconds + 1} -ac 1 -ar ${sampleRate} -f s16le -c:a pcm_s16le`.split(' '),
        `file:${target}`,
      ];
      const code = await new Promise<number | null>((resolve, reject) => {
        const child = spawn(program, args, { stdio: 'ignore', env, signal, killSignal: 'SIGKILL' });
        child.once('error', (error: NodeJS.ErrnoException) => {
          // The program may have been removed since the probe.
          const isRemoved = error.code === 'ENOENT';
          if (isRemoved) lastProbe = null;
          reject(signal.aborted ? (signal.reason as Error) : isRemoved ? needsFfmpeg(format) : error);
        });
        child.once('close', resolve);
      });
      signal.throwIfAborted();
      const size = await stat(target).then(
        (file) => file.size,
        () => 0,
      );
      // Of a truncated file, the beginning is decoded.
      if (size === 0 || (code !== 0 && size < MIN_DAMAGED_BYTES)) throw corrupted();
      const seconds = size / SAMPLE_BYTES / sampleRate;
      if (seconds > maxSeconds) throw tooLong(maxSeconds);
      return seconds;
    },
  };
}
