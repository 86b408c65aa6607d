import OpusScript from 'opusscript';
import { createOggWriter, oggPackets } from './ogg.ts';
import { AudioError, corrupted, type SoundSink } from './sound.ts';
import { toPcm16 } from './wav.ts';

// Opus, alone and in Ogg. Sources: RFC 6716; RFC 7845.

const RATE = 48_000;
/** Frames of 20 ms. */
const FRAME = 960;
/** What the encoder needs to settle, in samples at 48 kHz; decoders leave it out. */
const PRE_SKIP = 312;

interface OpusHead {
  readonly channels: number;
  readonly preSkip: number;
}

/** Reads an identification header. Source: RFC 7845, section 5.1. */
export function readOpusHead(bytes: Uint8Array): OpusHead {
  if (bytes.length < 19) throw corrupted();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = bytes[9] ?? 0;
  if (channels < 1 || channels > 2)
    throw new AudioError('unsupported', 'Opus of more than two channels cannot be read; send mono or stereo');
  return { channels, preSkip: view.getUint16(10, true) };
}

/** Decodes packets of a stream; `close` is a must. Packets that are broken are silence. */
export function createOpusDecoder({ channels, preSkip }: OpusHead, sink: SoundSink) {
  const decoder = new OpusScript(RATE, channels, OpusScript.Application.AUDIO);
  let skip = preSkip;
  let made = 0;
  return {
    /** Samples of each channel that were made, without those left out. */
    get made() {
      return made;
    },
    /** `most` samples are taken of it; null is all. */
    packet(bytes: Uint8Array, most: number | null = null): void {
      let pcm: Buffer;
      try {
        pcm = decoder.decode(Buffer.from(bytes));
      } catch {
        return;
      }
      const values = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
      const frames = values.length / channels;
      const from = Math.min(skip, frames);
      skip -= from;
      const count = Math.max(0, Math.min(frames - from, most ?? frames));
      if (count === 0) return;
      made += count;
      const parts = Array.from({ length: channels }, (_, channel) =>
        Float32Array.from({ length: count }, (__, i) => (values[(from + i) * channels + channel] ?? 0) / 32_768),
      );
      sink(parts, RATE);
    },
    close: () => decoder.delete(),
  };
}

/** Decodes the Opus stream of an Ogg file. */
export function decodeOggOpus(bytes: Uint8Array, sink: SoundSink): void {
  let decoder: ReturnType<typeof createOpusDecoder> | null = null;
  let number = 0;
  let preSkip = 0;
  try {
    for (const { bytes: packet, granule } of oggPackets(bytes)) {
      if (number === 0) {
        const head = readOpusHead(packet);
        preSkip = head.preSkip;
        decoder = createOpusDecoder(head, sink);
      } else if (number > 1 && decoder !== null) {
        // The last page says where the sound ends within its last packet.
        const left = granule !== null && granule > 0n ? Number(granule) - preSkip - decoder.made : null;
        decoder.packet(packet, left !== null && left >= 0 && left < FRAME * 6 ? left : null);
      }
      number++;
    }
  } finally {
    decoder?.close();
  }
  if (number < 3) throw corrupted();
}

/** Encodes sound of 48 kHz as an Ogg file, piece by piece. */
export function createOpusEncoder() {
  const encoder = new OpusScript(RATE, 1, OpusScript.Application.AUDIO);
  encoder.setBitrate(64_000);
  const writer = createOggWriter(1);
  let rest = new Float32Array(0);
  let given = 0;
  let coded = 0;
  let begun = false;
  const head = (): Buffer => {
    begun = true;
    const id = Buffer.alloc(19);
    id.write('OpusHead', 0, 'latin1');
    id[8] = 1;
    id[9] = 1;
    id.writeUInt16LE(PRE_SKIP, 10);
    id.writeUInt32LE(RATE, 12);
    const vendor = Buffer.from('ai-studio');
    const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
    tags.write('OpusTags', 0, 'latin1');
    tags.writeUInt32LE(vendor.length, 8);
    vendor.copy(tags, 12);
    return Buffer.concat([writer.page([id], 0n, { first: true }), writer.page([tags], 0n)]);
  };
  const code = (frame: Float32Array): Buffer => encoder.encode(toPcm16(frame), FRAME);
  /** A page of at most a second. */
  const PAGE = 50;

  return {
    sampleRate: RATE,
    add(samples: Float32Array): Buffer {
      const out: Buffer[] = begun ? [] : [head()];
      given += samples.length;
      const all = new Float32Array(rest.length + samples.length);
      all.set(rest);
      all.set(samples, rest.length);
      let at = 0;
      while (all.length - at > FRAME) {
        const packets: Buffer[] = [];
        // One frame is kept back, so that the last page is never empty.
        while (packets.length < PAGE && all.length - at > FRAME) {
          packets.push(code(all.subarray(at, at + FRAME)));
          at += FRAME;
          coded += FRAME;
        }
        out.push(writer.page(packets, BigInt(coded)));
      }
      rest = all.slice(at);
      return Buffer.concat(out);
    },
    end(): Buffer {
      const out: Buffer[] = begun ? [] : [head()];
      const packets: Buffer[] = [];
      const tail = new Float32Array(Math.ceil((rest.length + PRE_SKIP) / FRAME) * FRAME);
      tail.set(rest);
      for (let at = 0; at < tail.length; at += FRAME) packets.push(code(tail.subarray(at, at + FRAME)));
      out.push(writer.page(packets, BigInt(given + PRE_SKIP), { last: true }));
      encoder.delete();
      return Buffer.concat(out);
    },
  };
}
