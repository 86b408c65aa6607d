import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import { corrupted, type SoundSink } from './sound.ts';

/** Bytes that are decoded at once. */
const PIECE = 256 * 1024;

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Decodes Vorbis in Ogg, which may come in any pieces. */
export async function decodeVorbis(pieces: Iterable<Uint8Array>, sink: SoundSink): Promise<void> {
  const decoder = new OggVorbisDecoder();
  await decoder.ready;
  let made = 0;
  const take = ({ channelData, samplesDecoded, sampleRate }: Awaited<ReturnType<typeof decoder.flush>>) => {
    if (samplesDecoded === 0) return;
    made += samplesDecoded;
    sink(channelData, sampleRate);
  };
  try {
    for (const piece of pieces) take(await decoder.decode(piece));
    take(await decoder.flush());
  } finally {
    decoder.free();
  }
  if (made === 0) throw corrupted();
}

/** Decodes the Vorbis stream of an Ogg file. */
export const decodeOggVorbis = (bytes: Uint8Array, sink: SoundSink): Promise<void> =>
  decodeVorbis(piecesOf(bytes), sink);
