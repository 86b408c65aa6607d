import { ParseError } from '../../parse-error.ts';
import { relationsPart, resolvePart } from '../../package/relations.ts';
import type { Package } from '../../package/zip.ts';
import type { PackageFormat } from '../options.ts';
import { attribute, childElements, parsePart, serialize } from './tree.ts';

// Which parts of a template have its text, and what the package says of them.

/** Parts with text that the main part of Word leads to. */
const wordTexts = new Set(['header', 'footer', 'footnotes', 'endnotes']);
const hancomTexts = /(?:^|\/)(?:section|masterpage)\d*\.xml$/i;
const WORD_MAIN = 'word/document.xml';

/** Parts that a part leads to, with the last words of the types of their relations. Source: ECMA-376 part 2, 9.3. */
async function relationsOf(part: string, pack: Package) {
  const name = relationsPart(part);
  const content = await pack.read(name);
  if (content === null) return [];
  return childElements(parsePart(content, name))
    .filter((relation) => attribute(relation, 'TargetMode')?.toLowerCase() !== 'external')
    .map((relation) => ({
      kind: (attribute(relation, 'Type') ?? '').split('/').at(-1) ?? '',
      target: resolvePart(part, attribute(relation, 'Target') ?? ''),
    }));
}

/** Names as the package has them: the case of letters may differ. */
const inPackage = (names: ReadonlySet<string>, { names: all }: Package): ReadonlySet<string> => {
  const wanted = new Set([...names].map((name) => name.toLowerCase()));
  return new Set(all.filter((name) => wanted.has(name.toLowerCase())));
};

async function wordParts(pack: Package): Promise<ReadonlySet<string>> {
  const named = (await relationsOf('', pack)).find(({ kind }) => kind === 'officeDocument')?.target;
  const main = named !== undefined && pack.has(named) ? named : WORD_MAIN;
  if (!pack.has(main)) throw new ParseError('CORRUPTED', 'The template is damaged: it has no document in it.');
  const others = (await relationsOf(main, pack)).flatMap(({ kind, target }) => (wordTexts.has(kind) ? [target] : []));
  return inPackage(new Set([main, ...others]), pack);
}

/** Names of the parts with text. Throws ParseError `CORRUPTED`. */
export const textPartsOf = async (format: PackageFormat, pack: Package): Promise<ReadonlySet<string>> =>
  format === 'docx' ? wordParts(pack) : new Set(pack.names.filter((name) => hancomTexts.test(name)));

export const CONTENT_TYPES = '[Content_Types].xml';
const MAIN_TYPE = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';

/** The types of the parts of a document, where they were those of a template of Word (DOTX). Throws ParseError `UNSUPPORTED` for one with macros. */
export function documentTypes(content: Uint8Array): Uint8Array | string {
  const root = parsePart(content, CONTENT_TYPES);
  let changed = false;
  for (const entry of childElements(root)) {
    const type = attribute(entry, 'ContentType') ?? '';
    if (/word.*macroEnabled.*main\+xml$/i.test(type))
      throw new ParseError('UNSUPPORTED', 'The template has macros. Save it as a Word document (.docx) and try again.');
    if (!/wordprocessingml\.template\.main\+xml$/i.test(type)) continue;
    entry.setAttribute('ContentType', MAIN_TYPE);
    changed = true;
  }
  return changed ? serialize(root) : content;
}
