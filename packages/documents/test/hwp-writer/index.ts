import { createCipheriv } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';

import { writeCompound } from './compound.ts';
import { writeDocInfo } from './doc-info.ts';
import type { WrittenDocInfo } from './doc-info.ts';
import { node, numbers, writeRecords } from './records.ts';
import type { RecordNode } from './records.ts';

export interface WrittenHwp {
  readonly info?: WrittenDocInfo;
  readonly sections: readonly (readonly RecordNode[])[];
  readonly compressed?: boolean;
  readonly distributed?: boolean;
  /** More flags of the file's head, such as 2 for a password. */
  readonly flags?: number;
  readonly title?: string;
  readonly streams?: Readonly<Record<string, Uint8Array>>;
}

const fileHeader = (flags: number): Buffer =>
  Buffer.concat([
    Buffer.from('HWP Document File'.padEnd(32, '\0'), 'latin1'),
    numbers([4, 0x05010001], [4, flags]),
    Buffer.alloc(216),
  ]);

const seed = 0x123456c;

/** Masks as the format does: runs of one random byte. */
const mask = (data: Buffer): Buffer => {
  let state = seed;
  const random = (): number => {
    state = (Math.imul(state, 214_013) + 2_531_011) | 0;
    return (state >>> 16) & 0x7fff;
  };
  const masked = Buffer.from(data);
  for (let at = 0; at < masked.length;) {
    const value = random() & 0xff;
    for (let left = (random() & 0xf) + 1; left > 0 && at < masked.length; left -= 1, at += 1) masked[at]! ^= value;
  }
  masked.writeUInt32LE(seed, 0);
  return masked;
};

/** A section as a document for distribution holds it: a record with the key, then AES-128-ECB. */
const seal = (packed: Buffer): Buffer => {
  const data = Buffer.alloc(256, 0x5a);
  const key = Buffer.from('0123456789abcdef', 'latin1');
  key.copy(data, 4 + (seed & 0xf));
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const whole = Buffer.concat([packed, Buffer.alloc((16 - (packed.length % 16)) % 16)]);
  return Buffer.concat([writeRecords([node(0x1c, mask(data))]), cipher.update(whole), cipher.final()]);
};

const summary = (title: string): Buffer => {
  const text = Buffer.from(`${title}\0`, 'utf16le');
  const value = Buffer.concat([numbers([4, 0x1f], [4, text.length / 2]), text]);
  const section = Buffer.concat([numbers([4, 16 + value.length], [4, 1], [4, 2], [4, 16]), value]);
  return Buffer.concat([
    numbers([2, 0xfffe], [2, 0], [4, 0]),
    Buffer.alloc(16),
    numbers([4, 1]),
    Buffer.alloc(16),
    numbers([4, 48]),
    section,
  ]);
};

/** Writes an HWP 5 file. */
export const writeHwp = (file: WrittenHwp): Buffer => {
  const compressed = file.compressed ?? true;
  const packed = (bytes: Buffer): Buffer => (compressed ? deflateRawSync(bytes) : bytes);
  const flags = (compressed ? 1 : 0) | (file.distributed ? 4 : 0) | (file.flags ?? 0);
  const sections = file.sections.map((records, index): [string, Buffer] => {
    const bytes = packed(writeRecords(records));
    return file.distributed ? [`ViewText/Section${index}`, seal(bytes)] : [`BodyText/Section${index}`, bytes];
  });
  return writeCompound({
    FileHeader: fileHeader(flags),
    DocInfo: packed(writeDocInfo(file.info ?? {})),
    ...Object.fromEntries(sections),
    ...(file.title === undefined ? {} : { '\u0005HwpSummaryInformation': summary(file.title) }),
    ...file.streams,
  });
};

export * from './body.ts';
export { writeCompound } from './compound.ts';
