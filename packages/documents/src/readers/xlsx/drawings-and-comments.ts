import { type Block, plain } from '../../document.ts';
import { type GraphicWords, chartWords, diagramText } from '../../package/chart.ts';
import type { OfficePackage } from '../../package/office.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';
import { append } from '../../package/append.ts';
import { blockText } from '../../render/text.ts';
import type { Budget } from '../budget.ts';
import { rawGraphic } from '../raw-xml.ts';
import { cellPosition } from './cell-references.ts';
import { type Workbook, richText } from './workbook.ts';

/** A comment and the cell that it is about. */
export interface Comment {
  readonly reference: string;
  readonly author: string;
  readonly text: string;
}

/** All elements of one name below another. */
function descendantsOf(root: XmlElement | undefined, name: string): XmlElement[] {
  const found: XmlElement[] = [];
  const walk = (element: XmlElement): void => {
    for (const child of childrenOf(element)) {
      if (child.name === name) found.push(child);
      else walk(child);
    }
  };
  if (root !== undefined) walk(root);
  return found;
}

async function commentsOf(office: OfficePackage, part: string, saw: (content: Uint8Array) => void): Promise<Comment[]> {
  const root = (await office.tree(part, saw)) ?? undefined;
  const authors = [...childrenOf(childOf(root, 's:authors'), 's:author')].map(innerText);
  return [...childrenOf(childOf(root, 's:commentList'), 's:comment')].map((comment) => ({
    reference: attributeOf(comment, 'ref') ?? '',
    author: authors[Number(attributeOf(comment, 'authorId') ?? 0)] ?? '',
    text: richText(childOf(comment, 's:text'))
      .map(({ text }) => text)
      .join(''),
  }));
}

async function threadsOf(office: OfficePackage, part: string, { people, held }: Workbook): Promise<Comment[]> {
  const root = (await office.tree(part, held.threads)) ?? undefined;
  return [...childrenOf(root, 'tc:threadedComment')].map((comment) => ({
    reference: attributeOf(comment, 'ref') ?? '',
    author: people.get(attributeOf(comment, 'personId') ?? '') ?? '',
    text: innerText(childOf(comment, 'tc:text')),
  }));
}

const inOrder = (one: Comment, other: Comment): number => {
  const [a, b] = [cellPosition(one.reference), cellPosition(other.reference)];
  return (a?.row ?? 0) - (b?.row ?? 0) || (a?.column ?? 0) - (b?.column ?? 0);
};

/** Comments in the order of their cells. */
export function commentBlocks(comments: readonly Comment[], page: number): Block[] {
  return comments
    .filter(({ text }) => text.trim() !== '')
    .toSorted(inOrder)
    .map(({ reference, author, text }, at) => ({
      type: 'footnote',
      kind: 'comment',
      page,
      id: `comment-${page}-${at + 1}`,
      marker: reference,
      ...(author === '' ? {} : { author }),
      blocks: [{ type: 'paragraph', page, spans: plain(text.trim()) }],
    }));
}

/** What a chart says, and the words of its part. */
interface ShownChart {
  readonly words: GraphicWords;
  readonly written: string;
}

/** The page that a sheet is, and what its text counts against. */
interface Where {
  readonly page: number;
  readonly budget: Budget;
}

/** Charts, boxes of text and pictures that lie over the cells, in the order of the file. */
async function drawingBlocks(
  office: OfficePackage,
  part: string,
  { held }: Workbook,
  { page, budget }: Where,
): Promise<Block[]> {
  const root = (await office.tree(part, held.drawing)) ?? undefined;
  const relations = await office.relations(part);
  const blocks: Block[] = [];
  // A file may show one chart any number of times.
  const charts = new Map<string, ShownChart>();
  const none: ShownChart = { words: {}, written: '' };
  const chartAt = async (chart: string): Promise<ShownChart> => {
    let known = charts.get(chart);
    if (known === undefined) {
      let written = '';
      const tree = await office.tree(chart, (content) => (written = rawGraphic(content)));
      known = { words: tree === null ? {} : chartWords(tree), written };
      charts.set(chart, known);
    }
    return known;
  };
  for (const anchor of childrenOf(root)) {
    for (const chart of descendantsOf(anchor, 'c:chart')) {
      const target = relations.get(attributeOf(chart, 'r:id') ?? '');
      const { words, written } = target === undefined || target.external ? none : await chartAt(target.target);
      budget.text(words.text?.length ?? 0);
      held.words(written);
      if (words.text !== undefined) blocks.push({ type: 'image', page, ...words });
    }
    for (const picture of descendantsOf(anchor, 'xdr:pic')) {
      const alt = attributeOf(descendantsOf(picture, 'xdr:cNvPr')[0], 'descr')?.trim() ?? '';
      blocks.push({ type: 'image', page, ...(alt === '' ? {} : { alt }) });
    }
    for (const box of descendantsOf(anchor, 'xdr:sp')) {
      const words = diagramText(box);
      budget.text(words.length);
      for (const line of words === '' ? [] : words.split('\n'))
        blocks.push({ type: 'paragraph', page, spans: plain(line) });
    }
  }
  return blocks;
}

/** The contents of a sheet outside its cells: drawings, then comments with the cells that they are about. */
export async function drawingAndCommentBlocks(
  office: OfficePackage,
  part: string,
  workbook: Workbook,
  where: Where,
): Promise<Block[]> {
  const relations = new Map(
    [...(await office.relations(part)).values()].flatMap((one) => (one.external ? [] : [[one.target, one] as const])),
  );
  const blocks: Block[] = [];
  const comments: Comment[] = [];
  const threads: Comment[] = [];
  const parts: Uint8Array[] = [];
  for (const { kind, target } of relations.values()) {
    if (kind === 'drawing') append(blocks, await drawingBlocks(office, target, workbook, where));
    else if (kind === 'comments') append(comments, await commentsOf(office, target, (content) => parts.push(content)));
    else if (kind === 'threadedComment') append(threads, await threadsOf(office, target, workbook));
  }
  // Programs that know no threads are given each as one comment too.
  const threaded = new Set(threads.map(({ reference }) => reference));
  for (const part of parts) workbook.held.comments(part, threaded);
  const alone = comments.filter(({ reference }) => !threaded.has(reference));
  const notes = commentBlocks([...alone, ...threads], where.page);
  where.budget.text(notes.reduce((sum, note) => sum + blockText(note).length, 0));
  return [...blocks, ...notes];
}
