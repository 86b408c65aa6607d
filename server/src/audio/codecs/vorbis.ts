import { OggVorbisDecoder } from '@wasm-audio-decoders/ogg-vorbis';
import type { SoundSink } from './sound.ts';
import { splitChunks, decodeStream } from './stream-decoder.ts';

/** Decodes Vorbis in Ogg, in chunks of any size. */
export const decodeVorbis = (chunks: Iterable<Uint8Array>, sink: SoundSink): Promise<void> =>
  decodeStream(new OggVorbisDecoder(), chunks, sink);

/** Decodes the Vorbis stream of an Ogg file. */
export const decodeOggVorbis = (bytes: Uint8Array, sink: SoundSink): Promise<void> =>
  decodeVorbis(splitChunks(bytes), sink);
