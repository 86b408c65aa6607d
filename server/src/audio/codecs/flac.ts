import { FLACDecoder } from '@wasm-audio-decoders/flac';
import { createRequire } from 'node:module';
import type * as FlacLibrary from 'libflacjs/dist/libflac.js';
import type { Sound, SoundSink } from './sound.ts';
import { splitChunks, decodeStream } from './stream-decoder.ts';

type Flac = typeof FlacLibrary;

const require = createRequire(import.meta.url);
let library: Promise<Flac> | undefined;

/** Loads the encoder library, once a process. */
function loadLibrary(): Promise<Flac> {
  library ??= new Promise((resolve) => {
    const flac = (require('libflacjs') as () => Flac)();
    if (flac.isReady()) resolve(flac);
    else flac.on('ready', () => resolve(flac));
  });
  return library;
}

/** Decodes a FLAC file, which may begin with a tag, or FLAC in Ogg. */
export function decodeFlac(bytes: Uint8Array, isOgg: boolean, sink: SoundSink): Promise<void> {
  const start = isOgg ? 0 : Math.max(0, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).indexOf('fLaC'));
  return decodeStream(new FLACDecoder(), splitChunks(bytes.subarray(start)), sink);
}

const COMPRESSION_LEVEL = 5;
const SAMPLE_BITS = 16;

/** Encodes sound of one channel as a FLAC file of 16 bits. */
export async function encodeFlac({ samples, sampleRate }: Sound): Promise<Buffer> {
  const flac = await loadLibrary();
  const encoder = flac.create_libflac_encoder(sampleRate, 1, SAMPLE_BITS, COMPRESSION_LEVEL, samples.length, false);
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
