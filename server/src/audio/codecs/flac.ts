import { createRequire } from 'node:module';
import type * as FlacLibrary from 'libflacjs/dist/libflac.js';
import { corrupted, type Sound, type SoundSink } from './sound.ts';

type Flac = typeof FlacLibrary;

const require = createRequire(import.meta.url);
let library: Promise<Flac> | undefined;

/** Loads the library once a process. */
function load(): Promise<Flac> {
  library ??= new Promise((resolve) => {
    const flac = (require('libflacjs') as () => Flac)();
    if (flac.isReady()) resolve(flac);
    else flac.on('ready', () => resolve(flac));
  });
  return library;
}

/** Integers of so many bits, little endian, as numbers from -1 to 1. */
function toFloats(bytes: Uint8Array, bits: number): Float32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = Math.ceil(bits / 8);
  const scale = 2 ** (bits - 1);
  const read: Record<number, (at: number) => number> = {
    1: (at) => view.getInt8(at),
    2: (at) => view.getInt16(at, true),
    3: (at) => (view.getInt8(at + 2) << 16) | view.getUint16(at, true),
    4: (at) => view.getInt32(at, true),
  };
  const one = read[width];
  if (one === undefined) throw corrupted();
  return Float32Array.from({ length: Math.floor(bytes.length / width) }, (_, i) => one(i * width) / scale);
}

/** Decodes a FLAC file, or FLAC in Ogg. */
export async function decodeFlac(bytes: Uint8Array, isOgg: boolean, sink: SoundSink): Promise<void> {
  const flac = await load();
  const decoder = flac.create_libflac_decoder(false);
  if (decoder === 0) throw corrupted();
  let at = 0;
  let failed: Error | null = null;
  let made = 0;
  const read = (size: number) => {
    const part = bytes.subarray(at, at + size);
    at += part.length;
    return { buffer: new Uint8Array(part), readDataLength: part.length, error: false };
  };
  const write = (channels: Uint8Array[], { sampleRate, bitsPerSample }: FlacLibrary.BlockMetadata) => {
    if (failed !== null) return;
    try {
      const parts = channels.map((channel) => toFloats(channel, bitsPerSample));
      made += parts[0]?.length ?? 0;
      sink(parts, sampleRate);
    } catch (error) {
      failed = error instanceof Error ? error : corrupted(error);
    }
  };
  try {
    const started = isOgg
      ? flac.init_decoder_ogg_stream(decoder, read, write, () => undefined)
      : flac.init_decoder_stream(decoder, read, write, () => undefined);
    if (started !== 0) throw corrupted();
    while (failed === null) {
      if (!flac.FLAC__stream_decoder_process_single(decoder)) break;
      // FLAC__STREAM_DECODER_END_OF_STREAM and what comes after it.
      if (flac.FLAC__stream_decoder_get_state(decoder) > 3) break;
    }
  } finally {
    flac.FLAC__stream_decoder_delete(decoder);
  }
  if (failed !== null) throw failed as Error;
  if (made === 0) throw corrupted();
}

const LEVEL = 5;
const BITS = 16;

/** Encodes sound of one channel as a FLAC file of 16 bits. */
export async function encodeFlac({ samples, sampleRate }: Sound): Promise<Buffer> {
  const flac = await load();
  const encoder = flac.create_libflac_encoder(sampleRate, 1, BITS, LEVEL, samples.length, false);
  if (encoder === 0) throw new Error('the FLAC encoder could not be made');
  const parts: Buffer[] = [];
  try {
    if (
      flac.init_encoder_stream(
        encoder,
        (bytes) => void parts.push(Buffer.from(bytes)),
        () => undefined,
      ) !== 0
    )
      throw new Error('the FLAC encoder could not be started');
    const values = Int32Array.from(samples, (sample) =>
      Math.max(-32_768, Math.min(32_767, Math.round(sample * 32_767))),
    );
    if (!flac.FLAC__stream_encoder_process_interleaved(encoder, values, values.length))
      throw new Error('the FLAC encoder failed');
    flac.FLAC__stream_encoder_finish(encoder);
  } finally {
    flac.FLAC__stream_encoder_delete(encoder);
  }
  return Buffer.concat(parts);
}
