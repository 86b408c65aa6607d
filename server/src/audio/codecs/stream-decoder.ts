import { corrupted, type SoundSink } from './sound.ts';

interface DecodedChunk {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** A decoder of a WebAssembly package, which accepts a file in chunks of any size. */
interface StreamDecoder {
  readonly ready: Promise<void>;
  decode(chunk: Uint8Array): DecodedChunk | Promise<DecodedChunk>;
  flush?(): Promise<DecodedChunk>;
  free(): void;
}

const CHUNK_BYTES = 256 * 1024;

export function* splitChunks(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/** Decodes chunks of a file, and frees the decoder. Throws AudioError `corrupted` where they hold no sound. */
export async function decodeStream(
  decoder: StreamDecoder,
  chunks: Iterable<Uint8Array>,
  sink: SoundSink,
): Promise<void> {
  let hasSound = false;
  const passToSink = ({ channelData, samplesDecoded, sampleRate }: DecodedChunk) => {
    if (samplesDecoded === 0) return;
    hasSound = true;
    sink(channelData, sampleRate);
  };
  await decoder.ready;
  try {
    for (const chunk of chunks) passToSink(await decoder.decode(chunk));
    if (decoder.flush) passToSink(await decoder.flush());
  } finally {
    decoder.free();
  }
  if (!hasSound) throw corrupted();
}
