import { createOggWriter } from './ogg.ts';
import { createOpusDecoder, readOpusHeader } from './opus.ts';
import { AudioError, corrupted, type SoundSink } from './sound.ts';
import { decodeVorbis } from './vorbis.ts';

// Sound in WebM and Matroska. Source: RFC 9559; element ids of section 5, EBML of RFC 8794.

const SEGMENT = 0x18_53_80_67;
const CLUSTER = 0x1f_43_b6_75;
const TRACKS = 0x16_54_ae_6b;
const TRACK = 0xae;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC = 0x86;
const CODEC_PRIVATE = 0x63_a2;
const BLOCK_GROUP = 0xa0;
const BLOCK = 0xa1;
const SIMPLE_BLOCK = 0xa3;
const AUDIO = 2;

interface Element {
  readonly id: number;
  readonly start: number;
  readonly end: number;
}

/** Reads an integer of variable length. Null at the end, or where it is invalid. */
function readVint(
  bytes: Uint8Array,
  at: number,
  keepMarker: boolean,
): { value: number; next: number; isUnknown: boolean } | null {
  const firstLength = bytes[at];
  if (firstLength === undefined || firstLength === 0) return null;
  const length = Math.clz32(firstLength) - 23;
  if (at + length > bytes.length) return null;
  let value = keepMarker ? firstLength : firstLength & (0xff >> length);
  let isAllOnes = (firstLength | (0xff << (8 - length))) === -1 || (firstLength & (0xff >> length)) === 0xff >> length;
  for (let i = 1; i < length; i++) {
    const byte = bytes[at + i] ?? 0;
    value = value * 256 + byte;
    isAllOnes &&= byte === 0xff;
  }
  return { value, next: at + length, isUnknown: isAllOnes };
}

/** Yields the elements of a range. An element of unknown size reaches to the end of the range. */
function* readElements(bytes: Uint8Array, start: number, end: number): Generator<Element, void> {
  for (let at = start; at < end;) {
    const id = readVint(bytes, at, true);
    const size = id === null ? null : readVint(bytes, id.next, false);
    if (id === null || size === null) return;
    const elementEnd = size.isUnknown ? end : Math.min(end, size.next + size.value);
    yield { id: id.value, start: size.next, end: elementEnd };
    at = elementEnd;
  }
}

function findElement(bytes: Uint8Array, { start, end }: Omit<Element, 'id'>, id: number): Element | undefined {
  for (const element of readElements(bytes, start, end)) if (element.id === id) return element;
  return undefined;
}

const readNumber = (bytes: Uint8Array, { start, end }: Element): number =>
  bytes.subarray(start, Math.min(end, start + 6)).reduce((sum, byte) => sum * 256 + byte, 0);

interface Track {
  readonly trackNumber: number;
  readonly codec: string;
  readonly codecPrivate: Uint8Array;
}

function findAudioTrack(bytes: Uint8Array, tracks: Element): Track | null {
  for (const trackElement of readElements(bytes, tracks.start, tracks.end)) {
    if (trackElement.id !== TRACK) continue;
    const fields = new Map(
      [...readElements(bytes, trackElement.start, trackElement.end)].map((field) => [field.id, field]),
    );
    const [trackNumber, type, codec, codecPrivate] = [TRACK_NUMBER, TRACK_TYPE, CODEC, CODEC_PRIVATE].map((id) =>
      fields.get(id),
    );
    if (!trackNumber || !type || !codec || readNumber(bytes, type) !== AUDIO) continue;
    return {
      trackNumber: readNumber(bytes, trackNumber),
      codec: Buffer.from(bytes.subarray(codec.start, codec.end)).toString('latin1').replaceAll('\0', ''),
      codecPrivate: codecPrivate ? bytes.subarray(codecPrivate.start, codecPrivate.end) : new Uint8Array(0),
    };
  }
  return null;
}

/** Reads the frame of a block; null where it belongs to another track. Refuses lacing, which no known writer uses for Opus. */
function readFrame(bytes: Uint8Array, { start, end }: Element, track: number): Uint8Array | null {
  const trackNumber = readVint(bytes, start, false);
  if (trackNumber === null || trackNumber.value !== track) return null;
  const flags = bytes[trackNumber.next + 2] ?? 0;
  if ((flags & 0x06) !== 0)
    throw new AudioError('unsupported', 'The WebM file holds laced frames, which cannot be read');
  return bytes.subarray(trackNumber.next + 3, end);
}

/** Yields all blocks, also nested ones: a cluster of unknown size holds whatever follows it. */
function* findBlocks(bytes: Uint8Array, start: number, end: number): Generator<Element, void> {
  for (const element of readElements(bytes, start, end)) {
    if (element.id === SIMPLE_BLOCK || element.id === BLOCK) yield element;
    else if (element.id === CLUSTER || element.id === BLOCK_GROUP) yield* findBlocks(bytes, element.start, element.end);
  }
}

/** Yields the frames of a track in order. */
function* readFrames(bytes: Uint8Array, segment: Element, track: number): Generator<Uint8Array, void> {
  for (const block of findBlocks(bytes, segment.start, segment.end)) {
    const frame = readFrame(bytes, block, track);
    if (frame !== null) yield frame;
  }
}

/** Splits the private data of a track into the three headers of Vorbis. Source: RFC 9559, codec mappings, A_VORBIS. */
function vorbisHeaders(bytes: Uint8Array): readonly Uint8Array[] {
  if (bytes[0] !== 2) throw corrupted();
  let at = 1;
  const lengths = [0, 0].map(() => {
    let length = 0;
    let byte: number | undefined;
    do {
      byte = bytes[at++];
      if (byte === undefined) throw corrupted();
      length += byte;
    } while (byte === 255);
    return length;
  });
  const [firstLength = 0, secondLength = 0] = lengths;
  if (at + firstLength + secondLength >= bytes.length) throw corrupted();
  return [
    bytes.subarray(at, at + firstLength),
    bytes.subarray(at + firstLength, at + firstLength + secondLength),
    bytes.subarray(at + firstLength + secondLength),
  ];
}

/** Wraps Vorbis in Ogg, as its decoder expects. No page is marked as the last, as nothing must be cut off there. */
function* toOggPages(headers: readonly Uint8Array[], frames: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  const writer = createOggWriter(1);
  for (const [i, codecPrivate] of headers.entries()) yield writer.page([codecPrivate], 0n, { first: i === 0 });
  let trackNumber = 0n;
  for (const frame of frames) yield writer.page([frame], (trackNumber += 1n));
}

/** Display name of a codec. */
const codecName = (codec: string): string =>
  codec
    .replace(/^A_/, '')
    .replaceAll(/[^\w./-]/g, '')
    .slice(0, 40) || 'another codec';

/** Decodes the first sound track of a file. Resolves with null, or, without decoding anything, with the name of another codec than Opus and Vorbis. */
export async function decodeWebm(bytes: Uint8Array, sink: SoundSink): Promise<string | null> {
  const segment = findElement(bytes, { start: 0, end: bytes.length }, SEGMENT);
  if (segment === undefined) throw corrupted();
  const tracks = findElement(bytes, segment, TRACKS);
  const track = tracks === undefined ? null : findAudioTrack(bytes, tracks);
  if (track === null) throw new AudioError('empty', 'The WebM file has no sound');
  const frames = readFrames(bytes, segment, track.trackNumber);
  if (track.codec === 'A_VORBIS') {
    await decodeVorbis(toOggPages(vorbisHeaders(track.codecPrivate), frames), sink);
    return null;
  }
  if (track.codec !== 'A_OPUS') return codecName(track.codec);
  const decoder = createOpusDecoder(readOpusHeader(track.codecPrivate), sink);
  try {
    for (const frame of frames) decoder.addPacket(frame);
  } finally {
    decoder.close();
  }
  return null;
}
