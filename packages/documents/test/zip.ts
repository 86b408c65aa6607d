import { crc32, deflateRawSync } from 'node:zlib';

/** How one part of a written package differs from an honest one. */
export interface PartForm {
  readonly stored?: boolean;
  readonly encrypted?: boolean;
  /** Size that the headers give, whatever it is. */
  readonly size?: number;
  /** Sizes stand behind the part, not before it. */
  readonly descriptor?: boolean;
}

export type Parts = readonly (readonly [name: string, content: string | Uint8Array, form?: PartForm])[];

function header(signature: number, name: Buffer, packed: Buffer, size: number, crc: number, form: PartForm): Buffer {
  const central = signature === 0x02014b50;
  const bytes = Buffer.alloc(central ? 46 : 30);
  const at = central ? 2 : 0;
  const late = !central && form.descriptor === true;
  bytes.writeUInt32LE(signature, 0);
  bytes.writeUInt16LE(20, 4);
  bytes.writeUInt16LE(0x0800 | (form.encrypted ? 1 : 0) | (form.descriptor ? 8 : 0), 6 + at);
  bytes.writeUInt16LE(form.stored ? 0 : 8, 8 + at);
  bytes.writeUInt32LE(late ? 0 : crc, 14 + at);
  bytes.writeUInt32LE(late ? 0 : packed.length, 18 + at);
  bytes.writeUInt32LE(late ? 0 : size, 22 + at);
  bytes.writeUInt16LE(name.length, 26 + at);
  return bytes;
}

/** Writes a package (ZIP) of these parts. */
export function writeZip(parts: Parts): Buffer {
  const body: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content, form = {}] of parts) {
    const bytes = Buffer.from(content);
    const packed = form.stored ? bytes : deflateRawSync(bytes);
    const crc = crc32(bytes);
    const size = form.size ?? bytes.length;
    const encoded = Buffer.from(name);
    const central = header(0x02014b50, encoded, packed, size, crc, form);
    central.writeUInt32LE(offset, 42);
    directory.push(central, encoded);
    const piece = [header(0x04034b50, encoded, packed, size, crc, form), encoded, packed];
    if (form.descriptor) {
      const late = Buffer.alloc(16);
      late.writeUInt32LE(0x08074b50, 0);
      late.writeUInt32LE(crc, 4);
      late.writeUInt32LE(packed.length, 8);
      late.writeUInt32LE(size, 12);
      piece.push(late);
    }
    body.push(...piece);
    offset += piece.reduce((sum, { length }) => sum + length, 0);
  }
  const length = directory.reduce((sum, one) => sum + one.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...body, ...directory, end]);
}
