import { readFile } from 'node:fs/promises';
import { type Container, detectContainer, type ForProgram } from './container.ts';
import { decodeFlac } from './flac.ts';
import { decodeMp3 } from './mp3.ts';
import { oggPackets } from './ogg.ts';
import { createPcmFile } from './pcm-file.ts';
import { decodeOggOpus } from './opus.ts';
import { createResampler } from './resample.ts';
import { AudioError, type SoundSink, tooLong } from './sound.ts';
import { decodeOggVorbis } from './vorbis.ts';
import { decodeWav } from './wav.ts';
import { decodeWebm } from './webm.ts';

export interface DecodeOptions {
  readonly path: string;
  /** File that the sound is written to: one channel of 16 bits, little endian, without a head. */
  readonly target: string;
  /** Of the result, in Hz. */
  readonly sampleRate: number;
  readonly maxSeconds: number;
}

/** What the file holds is decoded by a program alone. */
export class NeedsProgram extends Error {
  readonly container: ForProgram;
  /** As people call it. */
  readonly format: string;
  constructor(container: ForProgram, format: string) {
    super(`${format} is decoded by a program`);
    this.container = container;
    this.format = format;
  }
}

/** What people call files that only a program decodes. */
const formats = { mp4: 'M4A (MP4)', aac: 'AAC', wma: 'WMA' } as const;

/** A file that was decoded. */
export interface Decoded {
  readonly seconds: number;
  readonly container: Container;
}

/** What the file names are, for messages. */
const KINDS = 'mp3, wav, m4a, flac, ogg, webm, aac, wma or opus';

function oggCodec(bytes: Uint8Array): 'opus' | 'vorbis' | 'flac' | null {
  const first = oggPackets(bytes).next().value?.bytes;
  const head = first === undefined ? '' : Buffer.from(first.subarray(0, 8)).toString('latin1');
  if (head.startsWith('OpusHead')) return 'opus';
  if (head.startsWith('\u0001vorbis')) return 'vorbis';
  return head.startsWith('\u007FFLAC') ? 'flac' : null;
}

async function decodeInto(bytes: Uint8Array, container: Container, sink: SoundSink): Promise<void> {
  if (container === 'wav') return decodeWav(bytes, sink);
  if (container === 'mp3') return decodeMp3(bytes, sink);
  if (container === 'flac') return decodeFlac(bytes, false, sink);
  if (container === 'webm') {
    const other = await decodeWebm(bytes, sink);
    if (other !== null) throw new NeedsProgram(container, `WebM or Matroska with ${other}`);
    return;
  }
  if (container !== 'ogg') throw new NeedsProgram(container, formats[container]);
  const codec = oggCodec(bytes);
  if (codec === 'opus') return decodeOggOpus(bytes, sink);
  if (codec === 'vorbis') return decodeOggVorbis(bytes, sink);
  if (codec === 'flac') return decodeFlac(bytes, true, sink);
  throw new AudioError('unsupported', 'The Ogg file holds neither Opus, Vorbis nor FLAC');
}

/** Makes one channel of one sampling rate, of a bounded length, of pieces of sound. */
function createMixer(sampleRate: number, maxSeconds: number, write: (samples: Float32Array) => void) {
  let length = 0;
  let rate = 0;
  let resampler: ReturnType<typeof createResampler> | null = null;
  const keep = (part: Float32Array) => {
    if (part.length === 0) return;
    length += part.length;
    if (length > maxSeconds * sampleRate) throw tooLong(maxSeconds);
    write(part);
  };
  const sink: SoundSink = (channels, given) => {
    const [first] = channels;
    if (first === undefined) return;
    if (rate !== given) {
      if (resampler !== null) keep(resampler.end());
      rate = given;
      resampler = createResampler(given, sampleRate);
    }
    const mono =
      channels.length === 1
        ? first
        : first.map((_, i) => channels.reduce((sum, channel) => sum + (channel[i] ?? 0), 0) / channels.length);
    if (resampler !== null) keep(resampler.add(mono));
  };
  return {
    sink,
    /** Length of all of it, in samples. Throws AudioError `empty`. */
    end(): number {
      if (resampler !== null) keep(resampler.end());
      if (length === 0) throw new AudioError('empty', 'The audio file has no sound');
      return length;
    },
  };
}

/** Decodes a file to one channel. Throws AudioError, NeedsProgram. */
export async function decodeFile({ path, target, sampleRate, maxSeconds }: DecodeOptions): Promise<Decoded> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new AudioError('empty', 'The audio file is empty');
  const container = detectContainer(bytes);
  if (container === null) throw new AudioError('unsupported', `The file is no audio that is known; send ${KINDS}`);
  const file = createPcmFile(target);
  try {
    const mixer = createMixer(sampleRate, maxSeconds, file.add);
    await decodeInto(bytes, container, mixer.sink);
    return { seconds: mixer.end() / sampleRate, container };
  } finally {
    file.close();
  }
}
