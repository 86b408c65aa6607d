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
/** Samples at 48 kHz before the encoder has settled; decoders skip them. */
const PRE_SKIP = 312;

interface OpusHeader {
  readonly channels: number;
  readonly preSkip: number;
}

/** Reads an identification header. Source: RFC 7845, section 5.1. */
export function readOpusHeader(bytes: Uint8Array): OpusHeader {
  if (bytes.length < 19) throw corrupted();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const channels = bytes[9] ?? 0;
  if (channels < 1 || channels > 2)
    throw new AudioError('unsupported', 'Opus of more than two channels cannot be read; send mono or stereo');
  return { channels, preSkip: view.getUint16(10, true) };
}

/** Creates a decoder of the packets of a stream, which the caller closes. It skips broken packets. */
export function createOpusDecoder({ channels, preSkip }: OpusHeader, sink: SoundSink) {
  const decoder = new OpusScript(SAMPLE_RATE, channels, OpusScript.Application.AUDIO);
  let samplesToSkip = preSkip;
  let decodedSamples = 0;
  return {
    /** Samples of each channel that were passed to the sink. */
    get decoded() {
      return decodedSamples;
    },
    /** Decodes at most `maxSamples` of a packet; all of them for null. */
    addPacket(packet: Uint8Array, maxSamples: number | null = null): void {
      let pcm: Buffer;
      try {
        pcm = decoder.decode(Buffer.from(packet));
      } catch {
        return;
      }
      const values = new Int16Array(pcm.buffer, pcm.byteOffset, pcm.length / 2);
      const frames = values.length / channels;
      const skipped = Math.min(samplesToSkip, frames);
      samplesToSkip -= skipped;
      const count = Math.max(0, Math.min(frames - skipped, maxSamples ?? frames));
      if (count === 0) return;
      decodedSamples += count;
      const channelSamples = Array.from({ length: channels }, (_, channel) =>
        Float32Array.from({ length: count }, (__, i) => (values[(skipped + i) * channels + channel] ?? 0) / 32_768),
      );
      sink(channelSamples, SAMPLE_RATE);
    },
    close: () => decoder.delete(),
  };
}

/** Decodes the Opus stream of an Ogg file. */
export function decodeOggOpus(bytes: Uint8Array, sink: SoundSink): void {
  const packets = oggPackets(bytes);
  const firstPacket = packets.next().value;
  if (!firstPacket) throw corrupted();
  const header = readOpusHeader(firstPacket.bytes);
  // Skips the tags.
  packets.next();
  const decoder = createOpusDecoder(header, sink);
  let hasPackets = false;
  try {
    for (const { bytes: packet, granule } of packets) {
      hasPackets = true;
      // The granule position of the last page tells where the sound ends within its last packet.
      const remaining = granule !== null && granule > 0n ? Number(granule) - header.preSkip - decoder.decoded : null;
      decoder.addPacket(
        packet,
        remaining !== null && remaining >= 0 && remaining < MAX_PACKET_SAMPLES ? remaining : null,
      );
    }
  } finally {
    decoder.close();
  }
  if (!hasPackets) throw corrupted();
}

/** The two header packets of a stream with one channel. Source: RFC 7845, section 5. */
function headerPackets(): readonly [Buffer, Buffer] {
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
  let areHeadersWritten = false;
  const headersOnce = (): Buffer[] => {
    if (areHeadersWritten) return [];
    areHeadersWritten = true;
    const [id, tags] = headerPackets();
    return [writer.page([id], 0n, { first: true }), writer.page([tags], 0n)];
  };
  const encodeFrame = (samples: Float32Array, at: number): Buffer =>
    encoder.encode(toPcm16(samples.subarray(at, at + FRAME_SAMPLES)), FRAME_SAMPLES);

  return {
    sampleRate: SAMPLE_RATE,
    add(samples: Float32Array): Buffer {
      const pages = headersOnce();
      received += samples.length;
      const buffered = joinSamples([pending, samples]);
      let at = 0;
      while (buffered.length - at > FRAME_SAMPLES) {
        const packets: Buffer[] = [];
        // Keeps one frame back, so that the last page is never empty.
        for (; packets.length < PAGE_PACKETS && buffered.length - at > FRAME_SAMPLES; at += FRAME_SAMPLES)
          packets.push(encodeFrame(buffered, at));
        encoded += packets.length * FRAME_SAMPLES;
        pages.push(writer.page(packets, BigInt(encoded)));
      }
      pending = buffered.slice(at);
      return Buffer.concat(pages);
    },
    end(): Buffer {
      const pages = headersOnce();
      const packets: Buffer[] = [];
      const lastFrames = new Float32Array(Math.ceil((pending.length + PRE_SKIP) / FRAME_SAMPLES) * FRAME_SAMPLES);
      lastFrames.set(pending);
      for (let at = 0; at < lastFrames.length; at += FRAME_SAMPLES) packets.push(encodeFrame(lastFrames, at));
      pages.push(writer.page(packets, BigInt(received + PRE_SKIP), { last: true }));
      encoder.delete();
      return Buffer.concat(pages);
    },
  };
}
