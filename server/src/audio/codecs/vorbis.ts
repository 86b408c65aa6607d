import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { corrupted, type SoundSink } from './sound.ts';

/** Bytes that are decoded at once. */
const PIECE = 256 * 1024;

/** Decodes the Vorbis stream of an Ogg file. */
export async function decodeOggVorbis(bytes: Uint8Array, sink: SoundSink): Promise<void> {
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  let made = 0;
  const take = ({ channelData, samplesDecoded, sampleRate }: Awaited<ReturnType<typeof decoder.flush>>) => {
    if (samplesDecoded === 0) return;
    made += samplesDecoded;
    sink(channelData, sampleRate);
  };
  try {
    for (let at = 0; at < bytes.length; at += PIECE) take(await decoder.decode(bytes.subarray(at, at + PIECE)));
    take(await decoder.flush());
  } finally {
    decoder.free();
  }
  if (made === 0) throw corrupted();
}
