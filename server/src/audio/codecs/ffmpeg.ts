import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import type { ForProgram } from './container.ts';
import { SAMPLE_BYTES } from './pcm-file.ts';
import { AudioError, corrupted, tooLong } from './sound.ts';

// The program ffmpeg, where it is installed: for containers that no library of a free licence decodes.

/** Nothing of the service's secrets is in its environment. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LANG: 'C.UTF-8' };

/** Demuxers that the program may use, by container: it is not left to guess, and reads nothing but the bytes it is given. */
const demuxers: Readonly<Record<ForProgram, string>> = { mp4: 'mov', aac: 'aac', wma: 'asf', webm: 'matroska' };

/** What comes of a damaged file counts as sound from here on. */
const MIN_BYTES = 1_000;

interface FfmpegJob {
  readonly path: string;
  /** File that the sound is written to, as of `DecodeOptions`. */
  readonly target: string;
  readonly container: ForProgram;
  /** As people call it. */
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

/** The program, as it is found. */
export interface Ffmpeg {
  /** Decodes a file to one channel of the wanted sampling rate. Resolves with its length in seconds. Throws AudioError. */
  decode(job: FfmpegJob): Promise<number>;
}

/** How long it counts that the program is not there: it may be installed while the service runs. */
const LOOK_AGAIN_MS = 30_000;

/** `program`: its name, or its path. */
export function createFfmpeg(program: string): Ffmpeg {
  let found: { readonly at: number; readonly there: Promise<boolean> } | null = null;

  const look = (): Promise<boolean> =>
    new Promise((resolve) => {
      const child = spawn(program, ['-hide_banner', '-version'], { stdio: 'ignore', env });
      child.once('error', () => resolve(false));
      child.once('close', (code) => resolve(code === 0));
    });
  const isThere = async (): Promise<boolean> => {
    if (found !== null && !(await found.there) && performance.now() - found.at > LOOK_AGAIN_MS) found = null;
    found ??= { at: performance.now(), there: look() };
    return found.there;
  };

  return {
    async decode({ path, target, container, format, sampleRate, maxSeconds, signal }) {
      if (!(await isThere())) throw needsFfmpeg(format);
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
          // It may have been removed since it was found.
          const gone = error.code === 'ENOENT';
          if (gone) found = null;
          reject(signal.aborted ? (signal.reason as Error) : gone ? needsFfmpeg(format) : error);
        });
        child.once('close', resolve);
      });
      signal.throwIfAborted();
      const size = await stat(target).then(
        (file) => file.size,
        () => 0,
      );
      // A file that breaks off gives what there is.
      if (size === 0 || (code !== 0 && size < MIN_BYTES)) throw corrupted();
      const seconds = size / SAMPLE_BYTES / sampleRate;
      if (seconds > maxSeconds) throw tooLong(maxSeconds);
      return seconds;
    },
  };
}
