import type { Element, Node } from '@xmldom/xmldom';
import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import { inflateInScript } from '../../package/inflate-in-script.ts';
import { openPackage, type Package } from '../../package/zip.ts';
import { sniffFormat } from '../../sniff.ts';
import type { PackageFormat } from '../options.ts';
import { packParts, type Part } from '../package.ts';
import { fillControls } from './controls.ts';
import { createLookup, type FillData, type Lookup } from './data.ts';
import { CONTENT_TYPES, documentTypes, textPartsOf } from './parts.ts';
import { MAX_PREVIEW_LETTERS, PREVIEW, previewOf } from './preview.ts';
import { repeatRows } from './rows.ts';
import { fillParagraph } from './texts.ts';
import { named, parsePart, serialize } from './tree.ts';

export interface FilledTemplate {
  readonly format: PackageFormat;
  readonly bytes: Uint8Array;
  /** Fields of the template that the data has no value for: they are empty now. */
  readonly unfilled: readonly string[];
  /** Names of the data that the template has no field for. */
  readonly unused: readonly string[];
}

/** What a package says of parts that can't be had whole: a form with a part of its text would look as if it were all of it. */
const damages = new Set(['package_damaged', 'part_damaged', 'part_unreadable']);

function fillPart(root: Node, lookup: Lookup): void {
  // What was filled in is no template: a value may say `{{…}}` itself. So controls come last.
  const doneParagraphs = new WeakSet<Element>();
  const doneControls = new WeakSet<Element>();
  const fill = (node: Node, own: Lookup): void => {
    repeatRows(node, own, fill);
    for (const paragraph of named(node, 'p')) {
      if (!doneParagraphs.has(paragraph)) fillParagraph(paragraph, own);
      doneParagraphs.add(paragraph);
    }
    fillControls(node, own, doneControls);
  };
  fill(root, lookup);
}

/** All parts of a template, those with text filled. */
async function filledParts(format: PackageFormat, pack: Package, lookup: Lookup): Promise<readonly Part[]> {
  const texts = await textPartsOf(format, pack);
  const parts = new Map<string, Part[1]>();
  let preview = '';
  for (const name of pack.names) {
    const content = await pack.read(name);
    if (content === null) continue;
    if (texts.has(name)) {
      const root = parsePart(content, name);
      fillPart(root, lookup);
      parts.set(name, serialize(root));
      if (format === 'hwpx' && preview.length < MAX_PREVIEW_LETTERS) preview += previewOf(root);
    } else parts.set(name, format === 'docx' && name === CONTENT_TYPES ? documentTypes(content) : content);
  }
  if (format === 'hwpx' && parts.has(PREVIEW)) parts.set(PREVIEW, preview.slice(0, MAX_PREVIEW_LETTERS).toWellFormed());
  return [...parts];
}

/**
 * Fills a template (서식) of Word or Hancom Office from data: `{{name}}` takes a value, `{{?agree}}` and `{{?kind=option}}` boxes that are ticked
 * or not, rows of tables with `{{items.name}}` are repeated for a list; content controls, 누름틀 and boxes of forms are filled by their names.
 * All else stays as it is. Throws ParseError: `UNSUPPORTED` for other files, `CORRUPTED`, `ENCRYPTED`, `TOO_LARGE`.
 */
export async function fillTemplate(template: Uint8Array, data: FillData, limits: ParseLimits): Promise<FilledTemplate> {
  const format = sniffFormat(template, '');
  if (format !== 'docx' && format !== 'hwpx')
    throw new ParseError('UNSUPPORTED', 'The template must be a DOCX or HWPX file.');
  const pack = await openPackage(template, limits, inflateInScript);
  const asked = { missing: new Set<string>(), used: new Set<string>(), letters: 0 };
  const lookup = createLookup(data, asked);
  const parts = await filledParts(format, pack, lookup);
  if (pack.warnings.some(({ code }) => damages.has(code)))
    throw new ParseError('CORRUPTED', 'The template is damaged: parts of it can not be read.');
  const first = (name: string): number => (name === 'mimetype' || name === CONTENT_TYPES ? 0 : 1);
  const bytes = packParts(
    parts.toSorted(([one], [other]) => first(one) - first(other)),
    new Set(['mimetype']),
  );
  return {
    format,
    bytes,
    unfilled: [...asked.missing],
    unused: Object.keys(data).filter((name) => !asked.used.has(name)),
  };
}
