import { readFile } from 'node:fs/promises';
import { type Container, detectContainer, type ProgramContainer } from './container.ts';
import { oggPackets } from './ogg.ts';
import { createPcmFile } from './pcm-file.ts';
import { createResampler } from './resample.ts';
import { AudioError, type SoundSink, tooLong } from './sound.ts';
import { decodeWav } from './wav.ts';

export interface DecodeOptions {
  readonly path: string;
  /** File to write: PCM of one channel and 16 bits, little endian, without a header. */
  readonly target: string;
  /** Sampling rate of the result in Hz. */
  readonly sampleRate: number;
  readonly maxSeconds: number;
}

/** Display names of formats that only an external program decodes. */
const programFormats = { mp4: 'M4A (MP4)', aac: 'AAC', wma: 'WMA' } as const;

/** A decoded file. */
export interface Decoded {
  readonly seconds: number;
  readonly container: Container;
}

/** A file that only an external program decodes. */
interface NeedsProgram {
  readonly container: ProgramContainer;
  /** Display name of the format. */
  readonly format: string;
}

/** The outcome of decoding a file. */
export type DecodeOutcome =
  | ({ readonly type: 'decoded' } & Decoded)
  | ({ readonly type: 'needs_program' } & NeedsProgram);

/** The supported formats, for messages. */
const FORMAT_NAMES = 'mp3, wav, m4a, flac, ogg, webm, aac, wma or opus';

function oggCodec(bytes: Uint8Array): 'opus' | 'vorbis' | 'flac' | null {
  const firstChannel = oggPackets(bytes).next().value?.bytes;
  const head = firstChannel === undefined ? '' : Buffer.from(firstChannel.subarray(0, 8)).toString('latin1');
  if (head.startsWith('OpusHead')) return 'opus';
  if (head.startsWith('\u0001vorbis')) return 'vorbis';
  return head.startsWith('\u007FFLAC') ? 'flac' : null;
}

/** A thread decodes one file: it loads the decoder of that file alone. */
async function decodeOgg(bytes: Uint8Array, sink: SoundSink): Promise<void> {
  const codec = oggCodec(bytes);
  if (codec === 'opus') return (await import('./opus.ts')).decodeOggOpus(bytes, sink);
  if (codec === 'vorbis') return (await import('./vorbis.ts')).decodeOggVorbis(bytes, sink);
  if (codec === 'flac') return (await import('./flac.ts')).decodeFlac(bytes, true, sink);
  throw new AudioError('unsupported', 'The Ogg file holds neither Opus, Vorbis nor FLAC');
}

/** Resolves with null once decoded, or, without decoding anything, with the format that needs an external program. */
async function decodeInto(bytes: Uint8Array, container: Container, sink: SoundSink): Promise<NeedsProgram | null> {
  if (container === 'mp4' || container === 'aac' || container === 'wma')
    return { container, format: programFormats[container] };
  if (container === 'webm') {
    const otherCodec = await (await import('./webm.ts')).decodeWebm(bytes, sink);
    return otherCodec === null ? null : { container, format: `WebM or Matroska with ${otherCodec}` };
  }
  if (container === 'wav') decodeWav(bytes, sink);
  else if (container === 'mp3') await (await import('./mp3.ts')).decodeMp3(bytes, sink);
  else if (container === 'flac') await (await import('./flac.ts')).decodeFlac(bytes, false, sink);
  else await decodeOgg(bytes, sink);
  return null;
}

/** Mixes chunks of sound down to one channel with a fixed sampling rate and a maximum length. */
function createMixer(sampleRate: number, maxSeconds: number, write: (samples: Float32Array) => void) {
  let length = 0;
  let currentRate = 0;
  let resampler: ReturnType<typeof createResampler> | null = null;
  const writeLimited = (chunk: Float32Array) => {
    if (chunk.length === 0) return;
    length += chunk.length;
    if (length > maxSeconds * sampleRate) throw tooLong(maxSeconds);
    write(chunk);
  };
  const sink: SoundSink = (channels, chunkRate) => {
    const [firstChannel] = channels;
    if (firstChannel === undefined) return;
    if (currentRate !== chunkRate) {
      if (resampler !== null) writeLimited(resampler.end());
      currentRate = chunkRate;
      resampler = createResampler(chunkRate, sampleRate);
    }
    const mono =
      channels.length === 1
        ? firstChannel
        : firstChannel.map((_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length);
    if (resampler !== null) writeLimited(resampler.add(mono));
  };
  return {
    sink,
    /** Ends the sound and returns its length in samples. Throws AudioError `empty`. */
    end(): number {
      if (resampler !== null) writeLimited(resampler.end());
      if (length === 0) throw new AudioError('empty', 'The audio file has no sound');
      return length;
    },
  };
}

/** Decodes a file to one channel. Throws AudioError. */
export async function decodeFile({ path, target, sampleRate, maxSeconds }: DecodeOptions): Promise<DecodeOutcome> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new AudioError('empty', 'The audio file is empty');
  const container = detectContainer(bytes);
  if (container === null)
    throw new AudioError('unsupported', `The file is no audio that is known; send ${FORMAT_NAMES}`);
  const file = createPcmFile(target);
  try {
    const mixer = createMixer(sampleRate, maxSeconds, file.add);
    const needsProgram = await decodeInto(bytes, container, mixer.sink);
    if (needsProgram !== null) return { type: 'needs_program', ...needsProgram };
    return { type: 'decoded', seconds: mixer.end() / sampleRate, container };
  } finally {
    file.close();
  }
}
