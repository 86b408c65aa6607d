import type { EncodedBody } from '../../src/ports/engine.ts';

const toBytes = (part: Buffer | string) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part);

/** The bytes that an engine gets. */
export const bytesOfBody = (sent: EncodedBody): Buffer =>
  Buffer.concat((typeof sent === 'string' ? [sent] : sent).map(toBytes));
