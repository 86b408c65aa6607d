import { createDecipheriv } from 'node:crypto';

import { u32At } from './bytes.ts';
import { readRecordAt, recordTags } from './records.ts';

const DATA_BYTES = 256;
const BLOCK_BYTES = 16;

/** The generator of pseudo-random numbers of the C library that the format was made with. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 214_013) + 2_531_011) | 0;
    return (state >>> 16) & 0x7fff;
  };
};

/** Key of AES-128 out of the distribution record: the record is masked by random runs, the key stands at a place the seed tells. */
const keyOf = (record: Uint8Array): Uint8Array => {
  const seed = u32At(record, 0);
  const random = createRandom(seed);
  const data = Buffer.from(record.subarray(0, DATA_BYTES));
  let run = 0;
  let mask = 0;
  for (let at = 0; at < DATA_BYTES; at += 1) {
    if (run === 0) {
      mask = random() & 0xff;
      run = (random() & 0xf) + 1;
    }
    if (at >= 4) data[at] = data[at]! ^ mask;
    run -= 1;
  }
  const from = 4 + (seed & 0xf);
  return data.subarray(from, from + BLOCK_BYTES);
};

/**
 * A stream of a document made for distribution (배포용 문서): a record with the key, then AES-128-ECB. No password is asked
 * for: the format itself carries the key, so that every viewer can show the document. Null where the record is not there.
 * Source: Hancom, format of documents for distribution, revision 1.2.
 */
export const decryptDistributed = (stream: Uint8Array): Uint8Array | null => {
  const record = readRecordAt(stream, 0);
  if (record === null || record.tag !== recordTags.distributeDocData || record.data.length < DATA_BYTES) return null;
  const packed = stream.subarray(record.end);
  const whole = packed.subarray(0, packed.length - (packed.length % BLOCK_BYTES));
  const decipher = createDecipheriv('aes-128-ecb', keyOf(record.data), null).setAutoPadding(false);
  return Buffer.concat([decipher.update(whole), decipher.final()]);
};
