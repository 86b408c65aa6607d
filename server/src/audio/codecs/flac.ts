import { type FLACDecodedAudio, FLACDecoder } from '@wasm-audio-decoders/flac';
import { createRequire } from 'node:module';
import type * as FlacLibrary from 'libflacjs/dist/libflac.js';
import { corrupted, type Sound, type SoundSink } from './sound.ts';

type Flac = typeof FlacLibrary;

const require = createRequire(import.meta.url);
let library: Promise<Flac> | undefined;

/** Loads the library that encodes once a process. */
function load(): Promise<Flac> {
  library ??= new Promise((resolve) => {
    const flac = (require('libflacjs') as () => Flac)();
    if (flac.isReady()) resolve(flac);
    else flac.on('ready', () => resolve(flac));
  });
  return library;
}

/** Bytes that are decoded at once. */
const PIECE = 256 * 1024;

/** Decodes a FLAC file, which may begin with a tag, or FLAC in Ogg. */
export async function decodeFlac(bytes: Uint8Array, isOgg: boolean, sink: SoundSink): Promise<void> {
  const decoder = new FLACDecoder();
  await decoder.ready;
  let made = 0;
  const take = ({ channelData, samplesDecoded, sampleRate }: FLACDecodedAudio) => {
    if (samplesDecoded === 0) return;
    made += samplesDecoded;
    sink(channelData, sampleRate);
  };
  try {
    const start = isOgg ? 0 : Math.max(0, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('fLaC'));
    for (let at = start; at < bytes.length; at += PIECE) take(await decoder.decode(bytes.subarray(at, at + PIECE)));
    take(await decoder.flush());
  } finally {
    decoder.free();
  }
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
