import type { DocumentMeta } from '../../document.ts';
import { ParseError } from '../../parse-error.ts';
import type { ParseLimits } from '../../reader.ts';
import { type GraphicWords, chartWords } from '../../package/chart.ts';
import { resolvePart } from '../../package/relations.ts';
import { createWarnings } from '../../package/warnings.ts';
import { attributeOf, childOf, childrenOf, innerText, parseXml, type XmlElement } from '../../package/xml.ts';
import { openPackage, type Package } from '../../package/zip.ts';
import { PROGRAM } from '../../write/options.ts';
import { readChart } from '../hwp/chart.ts';
import { isInline } from './inline.ts';
import { namespaces, otherNamespace } from './names.ts';

/** Elements that a paragraph in a cell lies in. */
const XML_DEPTH = 8;

const dateOf = (text: string): string | undefined => {
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
};

/** What `content.hpf` tells of the document. */
function metaOf(root: XmlElement | null): DocumentMeta {
  const data = childOf(root ?? undefined, 'opf:metadata');
  const metaValue = (name: string): string => {
    for (const meta of childrenOf(data, 'opf:meta'))
      if (attributeOf(meta, 'name') === name) return innerText(meta).trim();
    return '';
  };
  const title = innerText(childOf(data, 'opf:title')).trim();
  const language = innerText(childOf(data, 'opf:language')).trim();
  const author = metaValue('creator');
  const created = dateOf(metaValue('CreatedDate'));
  const modified = dateOf(metaValue('ModifiedDate'));
  return {
    ...(title === '' ? {} : { title }),
    ...(author === '' ? {} : { author }),
    ...(created === undefined ? {} : { created }),
    ...(modified === undefined ? {} : { modified }),
    ...(language === '' ? {} : { language }),
  };
}

/** True for a file that says all its headings itself: one that was written here. */
function isOutlined(root: XmlElement | null): boolean {
  for (const meta of childrenOf(childOf(root ?? undefined, 'opf:metadata'), 'opf:meta'))
    if (attributeOf(meta, 'name') === 'generator' && innerText(meta) === PROGRAM) return true;
  return false;
}

const sectionName = /(?:^|\/)section(\d+)\.xml$/i;
const numberOf = (name: string): number => Number(sectionName.exec(name)?.[1] ?? 0);

/** Names of the sections in their order: as the spine has them, then those that it forgot. */
function sectionsOf(
  root: XmlElement | null,
  package_: string,
  names: readonly string[],
  has: (name: string) => boolean,
) {
  const items = new Map<string, string>();
  for (const item of childrenOf(childOf(root ?? undefined, 'opf:manifest'), 'opf:item'))
    items.set(attributeOf(item, 'id') ?? '', attributeOf(item, 'href') ?? '');
  const order: string[] = [];
  const add = (name: string): void => {
    if (sectionName.test(name) && !order.includes(name)) order.push(name);
  };
  for (const { attributes } of childrenOf(childOf(root ?? undefined, 'opf:spine'), 'opf:itemref')) {
    const href = items.get(attributes['idref'] ?? '') ?? '';
    // Addresses begin at the top of the package; some programs write them from their own folder.
    const name = has(href) ? href : resolvePart(package_, href);
    if (has(name)) add(name);
  }
  const rest = names.filter((name) => sectionName.test(name) && !/masterpage/i.test(name));
  for (const name of rest.toSorted((a, b) => numberOf(a) - numberOf(b))) add(name);
  return order;
}

/** Words of the charts among embedded objects, by the id that the text refers to them by. */
async function embeddedCharts(root: XmlElement | null, pack: Package): Promise<ReadonlyMap<string, GraphicWords>> {
  const charts = new Map<string, GraphicWords>();
  for (const item of childrenOf(childOf(root ?? undefined, 'opf:manifest'), 'opf:item')) {
    const href = attributeOf(item, 'href') ?? '';
    const stored = /\.ole$/i.test(href) ? await pack.read(href) : null;
    const words = stored === null ? {} : readChart({ binary: () => stored }, href);
    if (words.text !== undefined) charts.set(attributeOf(item, 'id') ?? '', words);
  }
  return charts;
}

/** What stands in no paragraph although it should, in one of its own; null for what holds no text. */
function paragraphAround(element: XmlElement): XmlElement | null {
  if (element.name === 'hp:p') return element;
  const inRun = (child: XmlElement): XmlElement => ({ name: 'hp:run', attributes: {}, children: [child] });
  if (element.name === 'hp:run') return { name: 'hp:p', attributes: {}, children: [element] };
  return isInline(element.name) ? { name: 'hp:p', attributes: {}, children: [inRun(element)] } : null;
}

/** Opens a package of OWPML. Throws ParseError `ENCRYPTED` for one with a password, `CORRUPTED` for one without text. */
export async function openContents(bytes: Uint8Array, limits: ParseLimits) {
  const pack = await openPackage(bytes, limits);
  const { warn, all } = createWarnings();
  const options = (part: string) => ({
    namespaces,
    otherNamespace: otherNamespace(part),
    depth: limits.depth * XML_DEPTH,
    part,
    warn,
  });
  const tree = async (part: string): Promise<XmlElement | null> => {
    const content = await pack.read(part);
    return content === null ? null : parseXml(content, options(part));
  };
  const manifest = (await tree('META-INF/manifest.xml')) ?? undefined;
  for (const entry of childrenOf(manifest, 'odf:file-entry')) {
    if (childOf(entry, 'odf:encryption-data') !== undefined)
      throw new ParseError('ENCRYPTED', 'The document is protected by a password. Save it without one and try again.');
  }
  const container = childOf((await tree('META-INF/container.xml')) ?? undefined, 'ocf:rootfiles');
  const named = [...childrenOf(container, 'ocf:rootfile')].map((file) => attributeOf(file, 'full-path') ?? '');
  const main = [...named, 'Contents/content.hpf'].find((name) => /\.hpf$/i.test(name) && pack.has(name));
  const root = main === undefined ? null : await tree(main);
  const sections = sectionsOf(root, main ?? 'Contents/content.hpf', pack.names, pack.has);
  if (sections.length === 0) throw new ParseError('CORRUPTED', 'The file is damaged: it has no text of a document.');
  const headerName = pack.names.find((name) => /(?:^|\/)header\.xml$/i.test(name)) ?? 'Contents/header.xml';
  const header = await tree(headerName);
  if (header === null)
    warn({
      code: 'styles_missing',
      message: 'The shapes and styles of the document are missing; its text is given as plain.',
    });
  const charts = new Map(await embeddedCharts(root, pack));
  const masterPages = new Map<string, XmlElement>();
  for (const name of pack.names) {
    const id = /(?:^|\/)(masterpage\d*)\.xml$/i.exec(name)?.[1];
    const master = id === undefined ? null : await tree(name);
    if (id !== undefined && master !== null) masterPages.set(attributeOf(master, 'id') ?? id, master);
    if (!/(?:^|\/)chart[^/]*\.xml$/i.test(name)) continue;
    const chart = await tree(name);
    if (chart !== null) charts.set(name, chartWords(chart));
  }
  return {
    meta: metaOf(root),
    outlined: isOutlined(root),
    header,
    charts,
    masterPages,
    sections,
    warn,
    warnings: () => {
      for (const warning of pack.warnings) warn(warning);
      return all();
    },
    read: pack.read,
    /** Reads a section paragraph by paragraph. */
    paragraphs: (part: string, content: Uint8Array, each: (paragraph: XmlElement) => void): void => {
      parseXml(content, options(part), {
        // By the one namespace of all, or none that is known.
        within: ['hs:sec', 'hp:sec', '?:sec'],
        each: (element) => {
          const paragraph = paragraphAround(element);
          if (paragraph !== null) each(paragraph);
        },
      });
    },
  };
}
