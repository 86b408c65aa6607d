import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import { u32At } from './bytes.ts';
import { openCompoundFile } from './compound.ts';
import type { CompoundFile } from './compound.ts';
import { decryptDistributed } from './distribution.ts';
import { refuseOtherFormats, refuseOtherCompoundFiles } from './other-formats.ts';
import { createInflater } from './inflate.ts';
import { readRecordAt, recordTags } from './records.ts';

/** The streams of an HWP 5 file, decrypted and unpacked. */
export interface Container {
  /** Such as `0x05000300` for 5.0.3.0; 0 where it is not stated. */
  readonly version: number;
  readonly docInfo: Uint8Array | null;
  /** Sections of the body by number; each is unpacked when it is asked for. */
  readonly sections: readonly { readonly name: string; readonly read: () => Uint8Array }[];
  /** A stream as it is stored, such as the properties of the document. */
  readonly plain: (path: string) => Uint8Array | null;
  /** A stream of `BinData`, unpacked; null where there is none. */
  readonly binary: (name: string) => Uint8Array | null;
  /** Something was cut or damaged so far. */
  readonly damaged: () => boolean;
}

const signature = 'HWP Document File';
const flags = {
  compressed: 1 << 0,
  password: 1 << 1,
  distribution: 1 << 2,
  drm: 1 << 4,
  certificate: 1 << 8,
  certificateDrm: 1 << 10,
} as const;

const refuseEncrypted = (properties: number): void => {
  if ((properties & flags.password) !== 0)
    throw new ParseError(
      'ENCRYPTED',
      'The document is protected by a password; open it in Hancom Office, remove the password (보안 > 문서 암호 변경/해제), save it and try again.',
    );
  if ((properties & (flags.drm | flags.certificate | flags.certificateDrm)) !== 0)
    throw new ParseError(
      'ENCRYPTED',
      'The document is protected by DRM or a certificate (문서 보안); save an unprotected copy from Hancom Office and try again.',
    );
};

const sectionNumber = (path: string): number => Number(/Section(\d{1,6})$/u.exec(path)?.[1] ?? Number.NaN);

const sectionPaths = (compound: CompoundFile, storage: string): string[] => {
  const paths = compound.paths.filter((path) => /^(?:\w+\/)?Section\d{1,6}$/u.test(path));
  const inside = paths.filter((path) => path.startsWith(`${storage}/`));
  // A damaged directory may have lost the storage; the streams still bear their names.
  const chosen = inside.length > 0 ? inside : paths.filter((path) => !path.includes('/'));
  return chosen.toSorted((a, b) => sectionNumber(a) - sectionNumber(b));
};

/** What the head of the document says; a file that was cut may have lost it and still hold the text. */
const readHead = (compound: CompoundFile): { readonly version: number; readonly properties: number } => {
  const header = compound.stream('FileHeader');
  const signed =
    header !== null &&
    header.length >= 40 &&
    Buffer.from(header.subarray(0, signature.length)).toString('latin1') === signature;
  if (signed) return { version: u32At(header, 32), properties: u32At(header, 36) };
  refuseOtherCompoundFiles(compound.paths);
  if (compound.damaged() && compound.paths.includes('BodyText/Section0'))
    return { version: 0, properties: flags.compressed };
  throw new ParseError('CORRUPTED', 'The file is damaged: the head of an HWP document is missing.');
};

/** Throws ParseError: `ENCRYPTED`, `UNSUPPORTED`, `CORRUPTED` or `TOO_LARGE`. */
export const openContainer = (bytes: Uint8Array, limits: ParseLimits): Container => {
  refuseOtherFormats(bytes);
  const compound = openCompoundFile(bytes, limits.entries);
  const { version, properties } = readHead(compound);
  refuseEncrypted(properties);

  const inflater = createInflater(limits);
  let damaged = false;
  const unpack = (packed: Uint8Array, isPacked: boolean): Uint8Array => {
    if (!isPacked) {
      inflater.count(packed.length);
      return packed;
    }
    const { bytes: unpacked, whole } = inflater.inflate(packed);
    damaged ||= !whole;
    return unpacked;
  };
  const isPacked = (properties & flags.compressed) !== 0;
  const isDistributed = (properties & flags.distribution) !== 0;
  const readSealed = (path: string): Uint8Array => {
    const packed = decryptDistributed(compound.stream(path) ?? new Uint8Array());
    damaged ||= packed === null;
    return packed === null ? new Uint8Array() : unpack(packed, isPacked);
  };
  /** A document with tracked changes may keep a second, newer state of its text, which Hancom Office shows; null without one. */
  const readView = (path: string): Uint8Array | null => {
    const stored = compound.stream(path.replace('BodyText/', 'ViewText/'));
    if (stored === null || stored.length === 0 || !path.startsWith('BodyText/')) return null;
    const view = isPacked ? inflater.inflate(stored) : { bytes: stored, whole: true };
    return view.whole && readRecordAt(view.bytes, 0)?.tag === recordTags.paraHeader ? view.bytes : null;
  };
  const readSection = (path: string): Uint8Array => {
    if (path.startsWith('ViewText/')) return readSealed(path);
    return (hasViews ? readView(path) : null) ?? unpack(compound.stream(path) ?? new Uint8Array(), isPacked);
  };
  const hasViews = compound.paths.some((path) => path.startsWith('ViewText/'));
  const docInfo = compound.stream('DocInfo');
  const paths = sectionPaths(compound, isDistributed ? 'ViewText' : 'BodyText');
  return {
    version,
    docInfo: docInfo === null ? null : unpack(docInfo, isPacked),
    sections: paths.map((path) => ({ name: path, read: () => readSection(path) })),
    plain: compound.stream,
    binary: (name) => {
      const stored = compound.stream(`BinData/${name}`);
      return stored === null ? null : unpack(stored, isPacked);
    },
    damaged: () => damaged || compound.damaged(),
  };
};
