import type { Block, DocumentMeta, Warning } from '../../document.ts';
import { append } from '../../package/append.ts';
import { resolvePart } from '../../package/relations.ts';
import { createWarnings } from '../../package/warnings.ts';
import { attributeOf, childOf, childrenOf, innerText, parseXml, type XmlElement } from '../../package/xml.ts';
import { openPackage } from '../../package/zip.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { blockText } from '../../render/text.ts';
import { createBudget } from '../budget.ts';
import { LetterCount, countBlocks } from '../lost-letters.ts';
import { pageText, rawText } from '../raw-xml.ts';
import { readHtmlText } from '../html/index.ts';

/** What the reader calls the namespaces. Sources: EPUB 3.3, OPF 2.0. */
const namespaces: Readonly<Record<string, string>> = {
  'urn:oasis:names:tc:opendocument:xmlns:container': 'ocf',
  'http://www.idpf.org/2007/opf': 'opf',
  'http://purl.org/dc/elements/1.1/': 'dc',
  'http://www.w3.org/2001/04/xmlenc#': 'enc',
};
const XML_DEPTH = 64;

/** Fonts may be scrambled in books that anybody may read. */
const isFont = (address: string): boolean => /\.(?:otf|ttf|woff2?)$/i.test(address);

/** Pages, and drawings that stand for pages. */
const isHtml = (item: XmlElement): boolean =>
  /^(?:application\/xhtml\+xml|text\/html|text\/x-oeb1-document|image\/svg\+xml)$/i.test(
    attributeOf(item, 'media-type') ?? '',
  );

const isXml = (item: XmlElement): boolean => /[/+]xml$/i.test(attributeOf(item, 'media-type') ?? '');

/** The path of an address; one that is not well written is taken as it stands. */
function plainPath(address: string): string {
  try {
    return decodeURI(address);
  } catch {
    return address;
  }
}

function metaOf(root: XmlElement): DocumentMeta {
  const data = childOf(root, 'opf:metadata');
  const text = (name: string): string => innerText(childOf(data, name)).trim();
  const [title, author, language] = [text('dc:title'), text('dc:creator'), text('dc:language')];
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(language === '' ? {} : { language }),
  };
}

/** EPUB: the chapters of a book in their order. Throws ParseError `ENCRYPTED` for one with a lock. Source: EPUB 3.3. */
export const readEpub: Reader = async (bytes, options) => {
  const pack = await openPackage(bytes, options.limits);
  const { warn, all } = createWarnings();
  const tree = async (part: string): Promise<XmlElement | null> => {
    const content = await pack.read(part);
    return content === null ? null : parseXml(content, { namespaces, depth: XML_DEPTH, part, warn });
  };
  const locks = (await tree('META-INF/encryption.xml')) ?? undefined;
  for (const lock of childrenOf(locks, 'enc:EncryptedData')) {
    const address = attributeOf(childOf(childOf(lock, 'enc:CipherData'), 'enc:CipherReference'), 'URI') ?? '';
    if (!isFont(address)) throw new ParseError('ENCRYPTED', 'The book is locked (DRM). Give one without a lock.');
  }
  const container = childOf((await tree('META-INF/container.xml')) ?? undefined, 'ocf:rootfiles');
  const main =
    attributeOf(childOf(container, 'ocf:rootfile'), 'full-path') ?? pack.names.find((name) => name.endsWith('.opf'));
  const root = main === undefined ? null : await tree(main);
  if (main === undefined || root === null)
    throw new ParseError('CORRUPTED', 'The file is damaged: it does not say which chapters it has.');
  const items = new Map(
    [...childrenOf(childOf(root, 'opf:manifest'), 'opf:item')].map((item) => [attributeOf(item, 'id') ?? '', item]),
  );
  // A chapter stands in a book once.
  const chapters = new Set<string>();
  /** Chapters in a form that is not read. */
  const others = new Set<string>();
  for (const entry of childrenOf(childOf(root, 'opf:spine'), 'opf:itemref')) {
    const item = items.get(attributeOf(entry, 'idref') ?? '');
    if (item === undefined) continue;
    const part = resolvePart(main, plainPath(attributeOf(item, 'href') ?? ''));
    if (isHtml(item)) chapters.add(part);
    else if (isXml(item)) others.add(part);
  }
  const budget = createBudget(options.limits);
  const blocks: Block[] = [];
  const warnings: Warning[] = [];
  const letters = new LetterCount('all but letters');
  let done = 0;
  for (const part of chapters) {
    const content = await pack.read(part);
    if (content === null) warnings.push({ code: 'part_missing', message: `The chapter ${part} is missing.` });
    else {
      const chapter = await readHtmlText(content, { ...options, onPage: () => undefined });
      for (const block of chapter.blocks) {
        budget.text(blockText(block).length);
        if (block.type === 'table') budget.cells(block.rows * block.columns);
      }
      letters.held(pageText(rawText(content) ?? ''));
      countBlocks(letters, chapter.blocks);
      append(blocks, [...chapter.blocks]);
    }
    options.onPage(++done, chapters.size);
  }
  for (const part of others) letters.held(pageText(rawText((await pack.read(part)) ?? new Uint8Array()) ?? ''));
  for (const warning of pack.warnings) warn(warning);
  return {
    format: 'epub',
    meta: metaOf(root),
    pages: [],
    blocks,
    warnings: [...all(), ...warnings, ...letters.warnings()],
  };
};
