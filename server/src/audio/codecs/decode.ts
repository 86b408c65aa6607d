import { readFile } from 'node:fs/promises';
import { type Container, detectContainer, type ForProgram } from './container.ts';
import { decodeFlac } from './flac.ts';
import { decodeMp3 } from './mp3.ts';
import { oggPackets } from './ogg.ts';
import { decodeOggOpus } from './opus.ts';
import { createResampler } from './resample.ts';
import { AudioError, type Sound, type SoundSink } from './sound.ts';
import { decodeOggVorbis } from './vorbis.ts';
import { decodeWav } from './wav.ts';
import { decodeWebm } from './webm.ts';

export interface DecodeOptions {
  readonly path: string;
  /** Of the result, in Hz. */
  readonly sampleRate: number;
  readonly maxSeconds: number;
}

/** What the file holds is decoded by a program alone. */
export class NeedsProgram extends Error {
  readonly container: ForProgram;
  constructor(container: ForProgram) {
    super(`${container} is decoded by a program`);
    this.container = container;
  }
}

/** A file that was decoded. */
export interface Decoded extends Sound {
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
  if (container === 'webm' && decodeWebm(bytes, sink)) return;
  if (container !== 'ogg') throw new NeedsProgram(container);
  const codec = oggCodec(bytes);
  if (codec === 'opus') return decodeOggOpus(bytes, sink);
  if (codec === 'vorbis') return decodeOggVorbis(bytes, sink);
  if (codec === 'flac') return decodeFlac(bytes, true, sink);
  throw new AudioError('unsupported', 'The Ogg file holds neither Opus, Vorbis nor FLAC');
}

/** Gathers pieces of sound as one channel of one sampling rate, of a bounded length. */
export function createGatherer(sampleRate: number, maxSeconds: number) {
  const parts: Float32Array[] = [];
  let length = 0;
  let rate = 0;
  let resampler: ReturnType<typeof createResampler> | null = null;
  const keep = (part: Float32Array) => {
    if (part.length === 0) return;
    parts.push(part);
    length += part.length;
    if (length > maxSeconds * sampleRate)
      throw new AudioError('too_long', `The audio is longer than ${Math.round(maxSeconds / 60)} minutes; split it`);
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
    /** All of it. Throws AudioError `empty`. */
    end(): Float32Array {
      if (resampler !== null) keep(resampler.end());
      const all = new Float32Array(length);
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      if (all.length === 0) throw new AudioError('empty', 'The audio file has no sound');
      return all;
    },
  };
}

/** Decodes a file to one channel. Throws AudioError, NeedsProgram. */
export async function decodeFile({ path, sampleRate, maxSeconds }: DecodeOptions): Promise<Decoded> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw new AudioError('empty', 'The audio file is empty');
  const container = detectContainer(bytes);
  if (container === null) throw new AudioError('unsupported', `The file is no audio that is known; send ${KINDS}`);
  const gathered = createGatherer(sampleRate, maxSeconds);
  await decodeInto(bytes, container, gathered.sink);
  return { samples: gathered.end(), sampleRate, container };
}
