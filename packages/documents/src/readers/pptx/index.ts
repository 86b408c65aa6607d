import type { Block, Page, Warning } from '../../document.ts';
import { openOffice, type OfficePackage } from '../../package/office.ts';
import { metaOf } from '../../package/properties.ts';
import { ParseError } from '../../parse-error.ts';
import type { Reader } from '../../reader.ts';
import { attributeOf, childOf, childrenOf } from '../../package/xml.ts';
import { createBudget } from '../budget.ts';
import { LetterCount } from '../lost-letters.ts';
import { type Presentation, readSlide } from './slide.ts';
import { append } from '../../package/append.ts';

const EMU_PER_POINT = 12_700;

/** Names of who wrote comments, by their id: of the older form and of the newer one. */
async function authorsOf(office: OfficePackage): Promise<Map<string, string>> {
  const older = (await office.tree('ppt/commentAuthors.xml')) ?? undefined;
  const newer = (await office.tree('ppt/authors.xml')) ?? undefined;
  const authors = [...childrenOf(older, 'p:cmAuthor'), ...childrenOf(newer, 'p188:author')];
  return new Map(authors.map((one) => [attributeOf(one, 'id') ?? '', attributeOf(one, 'name') ?? '']));
}

/** Slides in their order, and their size in points. */
async function slidesOf(office: OfficePackage): Promise<{ parts: string[]; size: Pick<Page, 'width' | 'height'> }> {
  const main = (await office.main()) ?? 'ppt/presentation.xml';
  const root = (await office.tree(main)) ?? undefined;
  const relations = await office.relations(main);
  const parts = [...childrenOf(childOf(root, 'p:sldIdLst'), 'p:sldId')].flatMap((one) => {
    const relation = relations.get(attributeOf(one, 'r:id') ?? '');
    return relation === undefined || relation.external ? [] : [relation.target];
  });
  const size = childOf(root, 'p:sldSz');
  const [width, height] = [
    Number(attributeOf(size, 'cx')) / EMU_PER_POINT,
    Number(attributeOf(size, 'cy')) / EMU_PER_POINT,
  ];
  return { parts, size: width > 0 && height > 0 ? { width, height } : {} };
}

/** PPTX: slides with their text in the order of reading, tables, charts, notes of the speaker and comments. */
export const readPptx: Reader = async (bytes, { limits, pages: wanted, onPage, readInner }) => {
  const office = await openOffice(bytes, limits);
  const budget = createBudget(limits);
  const { parts, size } = await slidesOf(office);
  if (parts.length === 0) throw new ParseError('CORRUPTED', 'The presentation has no slides that can be read.');
  budget.pages(parts.length);
  const letters = new LetterCount('all but letters');
  const presentation: Presentation = {
    office,
    budget,
    letters,
    depth: limits.depth,
    models: new Map(),
    readInner,
    shown: new Set(),
  };
  const authors = await authorsOf(office);
  const pages: Page[] = [];
  const blocks: Block[] = [];
  const warnings: Warning[] = [];
  for (const [at, part] of parts.entries()) {
    const number = at + 1;
    if (wanted !== null && !wanted.has(number)) continue;
    const slide = await readSlide(presentation, part, number, authors);
    if (slide === null)
      warnings.push({ code: 'page_unreadable', message: `Slide ${number} cannot be read.`, page: number });
    pages.push({
      number,
      ...size,
      ...(slide?.title === undefined ? {} : { name: slide.title }),
      ...(slide?.hidden ? { hidden: true } : {}),
    });
    append(blocks, slide?.blocks ?? []);
    onPage(number, parts.length);
  }
  const meta = metaOf(await office.tree('docProps/core.xml'));
  return { format: 'pptx', meta, pages, blocks, warnings: [...office.warnings(), ...warnings, ...letters.warnings()] };
};
