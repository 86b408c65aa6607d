import type { DocumentMeta, Warning } from '../../document.ts';
import { createWarnings } from '../../package/warnings.ts';
import { attributeOf, childOf, childrenOf, innerText, parseXml, type XmlElement } from '../../package/xml.ts';
import { openPackage } from '../../package/zip.ts';
import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import type { LetterCount } from '../lost-letters.ts';
import { countMargins, paragraphsIn } from './held.ts';
import { EmbeddedObjects, type ReadPart } from './objects.ts';

const oasis = 'urn:oasis:names:tc:opendocument:xmlns';

/** What the reader calls the namespaces of OpenDocument. Source: OpenDocument 1.3, part 3. */
const namespaces: Readonly<Record<string, string>> = {
  [`${oasis}:office:1.0`]: 'office',
  [`${oasis}:style:1.0`]: 'style',
  [`${oasis}:text:1.0`]: 'text',
  [`${oasis}:table:1.0`]: 'table',
  [`${oasis}:drawing:1.0`]: 'draw',
  [`${oasis}:presentation:1.0`]: 'presentation',
  [`${oasis}:form:1.0`]: 'form',
  [`${oasis}:chart:1.0`]: 'chart',
  [`${oasis}:meta:1.0`]: 'meta',
  [`${oasis}:manifest:1.0`]: 'manifest',
  [`${oasis}:xsl-fo-compatible:1.0`]: 'fo',
  [`${oasis}:svg-compatible:1.0`]: 'svg',
  'http://www.w3.org/1998/Math/MathML': 'math',
  'http://www.w3.org/1999/xlink': 'xlink',
  'http://purl.org/dc/elements/1.1/': 'dc',
};

/** Elements that a cell lies in. */
const XML_DEPTH = 8;

const dateOf = (text: string): string | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

function metaOf(root: XmlElement | null): DocumentMeta {
  const meta = childOf(root ?? undefined, 'office:meta');
  const text = (name: string): string => innerText(childOf(meta, name)).trim();
  const [title, language] = [text('dc:title'), text('dc:language')];
  const author = text('meta:initial-creator') || text('dc:creator');
  const [created, modified] = [dateOf(text('meta:creation-date')), dateOf(text('dc:date'))];
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(language === '' ? {} : { language }),
  };
}

/** The parts of an OpenDocument file that are read. */
export interface OpenDocument {
  readonly content: XmlElement;
  readonly styles: XmlElement | null;
  readonly meta: DocumentMeta;
  /** Documents within it. */
  readonly objects: EmbeddedObjects;
  readonly warn: (warning: Warning) => void;
  readonly warnings: () => readonly Warning[];
}

/** Opens an OpenDocument package, and counts what it holds. Throws ParseError `ENCRYPTED` for one with a password, `CORRUPTED` for one without text. */
export async function openDocument(
  bytes: Uint8Array,
  limits: ParseLimits,
  letters: LetterCount,
): Promise<OpenDocument> {
  const pack = await openPackage(bytes, limits);
  const { warn, all } = createWarnings();
  const tree: ReadPart = async (part, saw) => {
    const content = await pack.read(part);
    if (content === null) return null;
    saw?.(content);
    return parseXml(content, { namespaces, depth: limits.depth * XML_DEPTH, part, warn });
  };
  const manifest = (await tree('META-INF/manifest.xml')) ?? undefined;
  for (const entry of childrenOf(manifest, 'manifest:file-entry')) {
    if (attributeOf(entry, 'manifest:full-path') === 'content.xml' && childOf(entry, 'manifest:encryption-data'))
      throw new ParseError('ENCRYPTED', 'The document is protected by a password. Save it without one and try again.');
  }
  const content = await tree('content.xml', (part) => letters.held(paragraphsIn(part)));
  if (content === null) throw new ParseError('CORRUPTED', 'The file is damaged: it has no text of a document.');
  const objects = new EmbeddedObjects();
  await objects.load(content, tree);
  const isText = childOf(childOf(content, 'office:body'), 'office:text') !== undefined;
  return {
    content,
    // What sheets and slides have there is for the most part filled in when they are shown.
    styles: await tree('styles.xml', (part) => (isText ? countMargins(letters, part) : undefined)),
    meta: metaOf(await tree('meta.xml')),
    objects,
    warn,
    warnings: () => {
      for (const warning of pack.warnings) warn(warning);
      return all();
    },
  };
}
