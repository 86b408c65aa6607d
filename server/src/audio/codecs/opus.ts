import OpusScript from 'opusscript';
import { createOggWriter, oggPackets } from './ogg.ts';
import { AudioError, corrupted, joinSamples, type SoundSink } from './sound.ts';
import { toPcm16 } from './wav.ts';

// Opus, alone and in Ogg. Sources: RFC 6716; RFC 7845.

const SAMPLE_RATE = 48_000;
/** Frames of 20 ms. */
const FRAME_SAMPLES = 960;
/** Packets of a page, at most a second. */
const PAGE_PACKETS = 50;
/** Longest packet: 120 ms. */
const MAX_PACKET_SAMPLES = FRAME_SAMPLES * 6;
/** Samples at 48 kHz before the encoder has settled; decoders leave them out. */
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

/** Decodes packets of a stream. Whoever makes it closes it. Broken packets are left out. */
export function createOpusDecoder({ channels, preSkip }: OpusHead, sink: SoundSink) {
  const decoder = new OpusScript(SAMPLE_RATE, channels, OpusScript.Application.AUDIO);
  let samplesToSkip = preSkip;
  let decoded = 0;
  return {
    /** Samples of each channel that the sink got. */
    get decoded() {
      return decoded;
    },
    /** Decodes at most so many samples of a packet; null is all. */
    addPacket(packet: Uint8Array, maxSamples: number | null = null): void {
      let pcm: Buffer;
      try {
        pcm = decoder.decode(Buffer.from(packet));
      } catch {
        return;
      }
      const values = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
      const frames = values.length / channels;
      const from = Math.min(samplesToSkip, frames);
      samplesToSkip -= from;
      const count = Math.max(0, Math.min(frames - from, maxSamples ?? frames));
      if (count === 0) return;
      decoded += count;
      const parts = Array.from({ length: channels }, (_, channel) =>
        Float32Array.from({ length: count }, (__, i) => (values[(from + i) * channels + channel] ?? 0) / 32_768),
      );
      sink(parts, SAMPLE_RATE);
    },
    close: () => decoder.delete(),
  };
}

/** Decodes the Opus stream of an Ogg file. */
export function decodeOggOpus(bytes: Uint8Array, sink: SoundSink): void {
  const packets = oggPackets(bytes);
  const head = packets.next().value;
  if (!head) throw corrupted();
  const opusHead = readOpusHead(head.bytes);
  // The tags.
  packets.next();
  const decoder = createOpusDecoder(opusHead, sink);
  let hasPackets = false;
  try {
    for (const { bytes: packet, granule } of packets) {
      hasPackets = true;
      // The last page says where the sound ends within its last packet.
      const left = granule !== null && granule > 0n ? Number(granule) - opusHead.preSkip - decoder.decoded : null;
      decoder.addPacket(packet, left !== null && left >= 0 && left < MAX_PACKET_SAMPLES ? left : null);
    }
  } finally {
    decoder.close();
  }
  if (!hasPackets) throw corrupted();
}

/** The two head packets of a stream of one channel. Source: RFC 7845, section 5. */
function headPackets(): readonly [Buffer, Buffer] {
  const id = Buffer.alloc(19);
  id.write('OpusHead', 0, 'latin1');
  id[8] = 1;
  id[9] = 1;
  id.writeUInt16LE(PRE_SKIP, 10);
  id.writeUInt32LE(SAMPLE_RATE, 12);
  const vendor = Buffer.from('ai-studio');
  const tags = Buffer.alloc(8 + 4 + vendor.length + 4);
  tags.write('OpusTags', 0, 'latin1');
  tags.writeUInt32LE(vendor.length, 8);
  vendor.copy(tags, 12);
  return [id, tags];
}

/** Encodes sound of 48 kHz as an Ogg file, chunk by chunk. */
export function createOpusEncoder() {
  const encoder = new OpusScript(SAMPLE_RATE, 1, OpusScript.Application.AUDIO);
  encoder.setBitrate(64_000);
  const writer = createOggWriter(1);
  let pending: Float32Array = new Float32Array(0);
  let received = 0;
  let encoded = 0;
  let hasHead = false;
  const headOnce = (): Buffer[] => {
    if (hasHead) return [];
    hasHead = true;
    const [id, tags] = headPackets();
    return [writer.page([id], 0n, { first: true }), writer.page([tags], 0n)];
  };
  const encodeFrame = (samples: Float32Array, at: number): Buffer =>
    encoder.encode(toPcm16(samples.subarray(at, at + FRAME_SAMPLES)), FRAME_SAMPLES);

  return {
    sampleRate: SAMPLE_RATE,
    add(samples: Float32Array): Buffer {
      const pages = headOnce();
      received += samples.length;
      const all = joinSamples([pending, samples]);
      let at = 0;
      while (all.length - at > FRAME_SAMPLES) {
        const packets: Buffer[] = [];
        // One frame is kept back, so that the last page is never empty.
        for (; packets.length < PAGE_PACKETS && all.length - at > FRAME_SAMPLES; at += FRAME_SAMPLES)
          packets.push(encodeFrame(all, at));
        encoded += packets.length * FRAME_SAMPLES;
        pages.push(writer.page(packets, BigInt(encoded)));
      }
      pending = all.slice(at);
      return Buffer.concat(pages);
    },
    end(): Buffer {
      const pages = headOnce();
      const packets: Buffer[] = [];
      const tail = new Float32Array(Math.ceil((pending.length + PRE_SKIP) / FRAME_SAMPLES) * FRAME_SAMPLES);
      tail.set(pending);
      for (let at = 0; at < tail.length; at += FRAME_SAMPLES) packets.push(encodeFrame(tail, at));
      pages.push(writer.page(packets, BigInt(received + PRE_SKIP), { last: true }));
      encoder.delete();
      return Buffer.concat(pages);
    },
  };
}
