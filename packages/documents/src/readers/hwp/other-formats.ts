import { ParseError } from '../../parse-error.ts';

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', at, at + text.length) === text;

/** Heads of files that products for document security wrap around a document. */
const drmSignatures = ['SCDSA', '<DOCUMENT SAFER', '\u009b DRMONE', 'DRMONE'];

/** Throws ParseError for files that people take for an HWP 5 document, with what to do instead. */
export const refuseOtherFormats = (bytes: Uint8Array): void => {
  if (bytes.length === 0) throw new ParseError('CORRUPTED', 'The file is empty.');
  if (startsWith(bytes, 'HWP Document File V'))
    throw new ParseError(
      'UNSUPPORTED',
      'The document is older than HWP 3.0; open it in Hancom Office and save it as HWP 5 or HWPX.',
    );
  if (drmSignatures.some((head) => startsWith(bytes, head)))
    throw new ParseError(
      'ENCRYPTED',
      'The file is sealed by a product for document security (문서 보안, DRM); save an unsealed copy and try again.',
    );
  if (startsWith(bytes, 'PK\u0003\u0004'))
    throw new ParseError(
      'UNSUPPORTED',
      'The file is a package such as HWPX, not an HWP 5 document; give it its own name and try again.',
    );
  if (/^\s*(?:\u00ef\u00bb\u00bf)?<\?xml[^]*<HWPML/u.test(Buffer.from(bytes.subarray(0, 512)).toString('latin1')))
    throw new ParseError(
      'UNSUPPORTED',
      'The file is HWPML (XML); open it in Hancom Office and save it as HWP 5 or HWPX.',
    );
  if (!startsWith(bytes, '\u00d0\u00cf\u0011\u00e0\u00a1\u00b1\u001a\u00e1'))
    throw new ParseError('UNSUPPORTED', 'The file is not an HWP 5 document.');
};

const otherOfficeFormats: readonly (readonly [stream: RegExp, name: string, instead: string])[] = [
  [/^WordDocument$/u, 'an old Word document (DOC)', 'DOCX'],
  [/^(?:Workbook|Book)$/u, 'an old Excel workbook (XLS)', 'XLSX'],
  [/^PowerPoint Document$/u, 'an old PowerPoint presentation (PPT)', 'PPTX'],
];

/** Throws ParseError for a compound file that belongs to another program. */
export const refuseOtherCompoundFiles = (paths: readonly string[]): void => {
  for (const [stream, name, instead] of otherOfficeFormats)
    if (paths.some((path) => stream.test(path)))
      throw new ParseError(
        'UNSUPPORTED',
        `The file is ${name}, not an HWP document; save it as ${instead} and try again.`,
      );
  if (paths.includes('EncryptedPackage'))
    throw new ParseError(
      'ENCRYPTED',
      'The file is an Office document protected by a password; save it without one and try again.',
    );
};
