import { spawn } from 'node:child_process';
import type { ForProgram } from './container.ts';
import { decodeWav } from './wav.ts';
import { AudioError, corrupted, type SoundSink } from './sound.ts';

// The program ffmpeg, where it is installed: for containers that no library of a free licence decodes.

let found: Promise<boolean> | undefined;

/** Whether the program is installed. Looked for once. */
export function hasFfmpeg(): Promise<boolean> {
  found ??= new Promise((resolve) => {
    const child = spawn('ffmpeg', ['-hide_banner', '-version'], { stdio: 'ignore', env });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
  return found;
}

/** Nothing of the service's secrets is in its environment. */
const env = { PATH: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin', LANG: 'C.UTF-8' };

/** Demuxers that the program may use, by container: it is not left to guess, and reads nothing but the bytes it is given. */
const demuxers: Readonly<Record<ForProgram, string>> = { mp4: 'mov', aac: 'aac', wma: 'asf', webm: 'matroska' };

interface FfmpegOptions {
  readonly path: string;
  readonly container: ForProgram;
  readonly sampleRate: number;
  readonly maxSeconds: number;
  readonly signal: AbortSignal;
}

const INSTALL =
  'install the program ffmpeg on the server (Debian: apt-get install ffmpeg), or send WAV, MP3, FLAC, Ogg or WebM';

/** Decodes a file with the program, to one channel of the wanted sampling rate. */
export async function decodeWithFfmpeg(
  { path, container, sampleRate, maxSeconds, signal }: FfmpegOptions,
  sink: SoundSink,
): Promise<void> {
  if (!(await hasFfmpeg())) throw new AudioError('unsupported', `This kind of audio needs a program: ${INSTALL}`);
  const demuxer = demuxers[container];
  const wav = await new Promise<Buffer>((resolve, reject) => {
    const child = spawn(
      'ffmpeg',
      `-hide_banner -nostdin -loglevel error -protocol_whitelist file,pipe -f ${demuxer} -i`
        .split(' ')
        .concat(`file:${path}`)
        .concat(
          `-map 0:a:0 -vn -sn -dn -t ${maxSeconds + 1} -ac 1 -ar ${sampleRate} -f wav -c:a pcm_s16le pipe:1`.split(' '),
        ),
      {
        stdio: ['ignore', 'pipe', 'ignore'],
        env,
        signal,
        killSignal: 'SIGKILL',
      },
    );
    const parts: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    child.once('close', (code) => {
      const all = Buffer.concat(parts);
      if (all.length > 44 && (code === 0 || all.length > 1_000)) resolve(all);
      else reject(corrupted());
    });
  });
  decodeWav(wav, sink);
}
