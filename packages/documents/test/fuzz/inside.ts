import { deflateRawSync, inflateRawSync, inflateSync } from 'node:zlib';
import { openCompoundFile } from '../../src/readers/hwp/compound.ts';
import { openPackage } from '../../src/package/zip.ts';
import { standardLimits } from '../../src/reader.ts';
import { writeCompound } from '../hwp-writer/index.ts';
import { writeZip } from '../zip.ts';

/** A file as the parts that its readers see, unpacked, so that a change reaches them. */
export interface Inside {
  readonly parts: readonly Buffer[];
  /** The file with these parts in the place of its own. */
  readonly withParts: (parts: readonly Buffer[]) => Buffer;
}

async function insidePackage(file: Buffer): Promise<Inside> {
  const pack = await openPackage(file, standardLimits);
  const parts = await Promise.all(pack.names.map(async (name) => Buffer.from((await pack.read(name)) ?? [])));
  return {
    parts,
    withParts: (all) => writeZip(pack.names.map((name, at) => [name, all[at] ?? '', { stored: name === 'mimetype' }])),
  };
}

const unpacked = (bytes: Uint8Array): Buffer | null => {
  try {
    return inflateRawSync(bytes);
  } catch {
    return null;
  }
};

function insideCompound(file: Buffer): Inside {
  const compound = openCompoundFile(file, standardLimits.entries);
  const streams = compound.paths.map((path) => {
    const stored = Buffer.from(compound.stream(path) ?? []);
    const inner = path === 'FileHeader' ? null : unpacked(stored);
    return { path, bytes: inner ?? stored, packed: inner !== null };
  });
  return {
    parts: streams.map(({ bytes }) => bytes),
    withParts: (all) =>
      writeCompound(
        Object.fromEntries(
          streams.map(({ path, packed }, at) => {
            const bytes = all[at] ?? Buffer.alloc(0);
            return [path, packed ? deflateRawSync(bytes) : bytes];
          }),
        ),
      ),
  };
}

/** Streams that are packed in the plain way, with what says so before them. */
const packedStream =
  /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])([^<>]{0,200}>>\s*stream\r?\n)([^]*?)(?=\r?\nendstream)/g;

/** A PDF file in pieces: what stands between streams, and streams unpacked. Its table of places is wrong then: readers find them. */
function insidePdf(file: Buffer): Inside {
  const text = file.toString('latin1');
  const parts: Buffer[] = [];
  let at = 0;
  for (const one of text.matchAll(packedStream)) {
    const [whole, between = '', packed = ''] = one;
    let stream: Buffer;
    try {
      stream = inflateSync(Buffer.from(packed, 'latin1'));
    } catch {
      continue;
    }
    if (
      stream.length > 1024 * 1024 ||
      /\/DecodeParms|\/XRef|\/ObjStm/.test(text.slice(Math.max(at, one.index - 300), one.index) + between)
    )
      continue;
    const head = between.replace(/\/Length\s+\d+(?:\s+\d+\s+R)?/, '');
    const before = text.slice(at, one.index).replace(/\/Length\s+\d+(?:\s+\d+\s+R)?(?=[^<>]*$)/, '');
    parts.push(Buffer.from(`${before}/Length ${stream.length}${head}`, 'latin1'), stream);
    at = one.index + whole.length;
  }
  parts.push(Buffer.from(text.slice(at), 'latin1'));
  return { parts, withParts: (all) => Buffer.concat(all) };
}

/** Looks into a file. */
export async function insideOf(file: Buffer): Promise<Inside> {
  const magic = file.toString('latin1', 0, 4);
  try {
    if (magic === 'PK\x03\x04') return await insidePackage(file);
    if (magic === '\xd0\xcf\x11\xe0') return insideCompound(file);
    if (magic === '%PDF') return insidePdf(file);
  } catch {
    // A file that can't be opened is changed as it is.
  }
  return { parts: [file], withParts: ([only = Buffer.alloc(0)]) => only };
}
