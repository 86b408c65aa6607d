import type { Block } from '../../document.ts';
import { textOf } from '../../document.ts';
import { chartWords, diagramText } from '../../package/chart.ts';
import { type DiagramWords, diagramWords } from '../../package/diagram.ts';
import { assembleFlow } from '../../package/flow.ts';
import type { FlowItem } from '../../package/flow-items.ts';
import type { OfficePackage } from '../../package/office.ts';
import type { Relations } from '../../package/relations.ts';
import { tableOf } from '../../package/tables.ts';
import { type XmlElement, attributeOf, childOf, childrenOf, innerText } from '../../package/xml.ts';
import type { Budget } from '../budget.ts';
import type { ReadOptions } from '../../reader.ts';
import { isEmbedded, readEmbedded } from '../inner-part.ts';
import { type LetterCount, countBlocks, countInnerBlocks } from '../lost-letters.ts';
import { rawGraphic } from '../raw-xml.ts';
import { connectedBoxes } from './connections.ts';
import { countComments, countPart, countSpoken } from './held.ts';
import { type ListStyles, type TextPlace, linesOf } from './paragraphs.ts';
import { type Shape, inReadingOrder, isTitle, matchingShape, shapesOf } from './shapes.ts';
import { append } from '../../package/append.ts';

/** A layout or a master: what slides take from it. */
interface Model {
  readonly shapes: readonly Shape[];
  /** Styles of the text of titles and bodies, of a master. */
  readonly styles: XmlElement | undefined;
}

/** What all slides share. */
export interface Presentation {
  readonly office: OfficePackage;
  readonly budget: Budget;
  readonly letters: LetterCount;
  readonly depth: number;
  readonly models: Map<string, Promise<Model>>;
  readonly readInner: ReadOptions['readInner'];
  /** Parts of documents that slides have shown. */
  readonly shown: Set<string>;
}

const emptyModel: Model = { shapes: [], styles: undefined };

const targetOf = (relations: Relations, kind: string): string | undefined =>
  [...relations.values()].find((one) => one.kind === kind && !one.external)?.target;

function modelOf({ office, models, depth }: Presentation, part: string | undefined): Promise<Model> {
  if (part === undefined) return Promise.resolve(emptyModel);
  const known = models.get(part);
  if (known !== undefined) return known;
  const read = (async (): Promise<Model> => {
    const root = (await office.tree(part)) ?? undefined;
    return { shapes: shapesOf(root, depth), styles: childOf(root, 'p:txStyles') };
  })();
  models.set(part, read);
  return read;
}

interface Models {
  readonly layout: Model;
  readonly master: Model;
}

/** A shape with the place that it takes from its layout or master, where it has none of its own. */
function withInheritedFrame(shape: Shape, { layout, master }: Models): Shape {
  if (shape.frame !== null || shape.placeholder === null) return shape;
  const frame =
    matchingShape(layout.shapes, shape.placeholder)?.frame ?? matchingShape(master.shapes, shape.placeholder)?.frame;
  return { ...shape, frame: frame ?? null };
}

/** Kinds of placeholders whose text is that of the body of the master. */
const bodyPlaceholders = new Set(['body', 'obj', 'subTitle', 'tbl', 'clipArt']);

function listStyles({ placeholder }: Shape, { layout, master }: Models): ListStyles {
  if (placeholder === null) return [];
  const styleOf = (model: Model) =>
    childOf(childOf(matchingShape(model.shapes, placeholder)?.element, 'p:txBody'), 'a:lstStyle');
  const text = bodyPlaceholders.has(placeholder.type) ? childOf(master.styles, 'p:bodyStyle') : undefined;
  return [styleOf(layout), styleOf(master), text];
}

/** Kinds of placeholders that every slide repeats. */
const marginPlaceholders = new Set(['ftr', 'dt', 'sldNum', 'hdr']);

/** Larger spans are mistakes. */
const MAX_SPAN = 1_000;
const spanOf = (cell: XmlElement, name: string): number =>
  Math.min(MAX_SPAN, Math.max(1, Math.trunc(Number(attributeOf(cell, name) ?? 1)) || 1));

class SlideReader {
  readonly #presentation: Presentation;
  readonly #part: string;
  readonly #page: number;
  readonly #relations: Relations;
  readonly #models: Models;
  #lists = 0;

  constructor(presentation: Presentation, part: string, page: number, relations: Relations, models: Models) {
    this.#presentation = presentation;
    this.#part = part;
    this.#page = page;
    this.#relations = relations;
    this.#models = models;
  }

  #place(hidden: boolean): TextPlace {
    const [page, source, relations] = [this.#page, this.#part, this.#relations];
    return { page, source, relations, hidden, list: `${this.#page} ${this.#lists++}` };
  }

  async items(shape: Shape): Promise<FlowItem[]> {
    const { element, hidden } = shape;
    if (element.name === 'p:pic') return [this.#picture(shape)];
    if (element.name === 'p:graphicFrame') return this.#graphic(shape);
    const lines = linesOf(childOf(element, 'p:txBody'), this.#place(hidden), listStyles(shape, this.#models));
    for (const { spans } of lines) this.#presentation.budget.text(textOf(spans).length);
    if (isTitle(shape)) return this.#title(lines.filter(({ spans }) => textOf(spans).trim() !== ''));
    if (shape.placeholder?.type === 'subTitle')
      return lines.map(({ mark: _mark, ...line }) => ({ ...line, role: 'subtitle' as const }));
    return lines;
  }

  /** A title of several lines is one heading. */
  #title(lines: Awaited<ReturnType<SlideReader['items']>>): FlowItem[] {
    const spans = lines.flatMap((line, at) =>
      line.type === 'line' ? [...(at === 0 ? [] : [{ text: ' ' }]), ...line.spans] : [],
    );
    const clean = spans.map((span) => ({ ...span, text: span.text.replaceAll('\n', ' ') }));
    return clean.length === 0
      ? []
      : [{ type: 'heading', level: 1, page: this.#page, source: this.#part, spans: clean }];
  }

  #picture({ alt, hidden }: Shape): FlowItem {
    return {
      type: 'image',
      page: this.#page,
      source: this.#part,
      ...(alt === undefined ? {} : { alt }),
      ...(hidden ? { hidden } : {}),
    };
  }

  async #graphic(shape: Shape): Promise<FlowItem[]> {
    const data = childOf(childOf(shape.element, 'a:graphic'), 'a:graphicData');
    const table = childOf(data, 'a:tbl');
    if (table !== undefined) return this.#table(table, shape);
    const chart = this.#relations.get(attributeOf(childOf(data, 'c:chart'), 'r:id') ?? '')?.target;
    const diagram = this.#relations.get(attributeOf(childOf(data, 'dgm:relIds'), 'r:dm') ?? '')?.target;
    const { budget, letters } = this.#presentation;
    const root = await this.#tree(chart ?? diagram);
    const found: DiagramWords = root === null ? {} : chart === undefined ? diagramWords(root) : chartWords(root);
    const { outline, ...words } = found;
    budget.text((words.text?.length ?? 0) * (outline === undefined ? 1 : 2));
    // Its words stand in the file once.
    for (const { marker, spans } of outline ?? []) letters.held(`${marker} ${textOf(spans)}`);
    const picture = this.#picture(shape);
    const place = { page: this.#page, source: this.#part, ...(shape.hidden ? { hidden: true } : {}) };
    return [
      picture.type === 'image' ? { ...picture, ...words } : picture,
      ...(await this.#embedded(data)).map((block) => ({ ...block, ...place })),
      ...(outline === undefined ? [] : [{ type: 'list' as const, ...place, items: outline }]),
    ];
  }

  /** The blocks of a document that a frame shows; nothing where a slide has shown it before. */
  async #embedded(data: XmlElement | undefined): Promise<readonly Block[]> {
    const alternate = childOf(data, 'mc:AlternateContent');
    const frame =
      alternate === undefined ? data : (childOf(alternate, 'mc:Choice') ?? childOf(alternate, 'mc:Fallback'));
    const found = this.#relations.get(attributeOf(childOf(frame, 'p:oleObj'), 'r:id') ?? '');
    const { office, letters, shown, readInner } = this.#presentation;
    if (found === undefined || !isEmbedded(found) || shown.has(found.target)) return [];
    shown.add(found.target);
    const blocks = await readEmbedded(office, found.target, readInner);
    countInnerBlocks(letters, blocks);
    return blocks;
  }

  async #tree(part: string | undefined): Promise<XmlElement | null> {
    const { office, letters } = this.#presentation;
    return part === undefined ? null : office.tree(part, (content) => letters.held(rawGraphic(content)));
  }

  #table(table: XmlElement, { hidden }: Shape): Block[] {
    const { budget } = this.#presentation;
    const properties = childOf(table, 'a:tblPr');
    const headed = ['1', 'true'].includes(attributeOf(properties, 'firstRow') ?? '0');
    const cells = [...childrenOf(table, 'a:tr')].flatMap((line, row) =>
      [...childrenOf(line, 'a:tc')].flatMap((cell, column) => {
        const covered = (name: string) => ['1', 'true'].includes(attributeOf(cell, name) ?? '0');
        if (covered('hMerge') || covered('vMerge')) return [];
        const lines = linesOf(childOf(cell, 'a:txBody'), this.#place(false), []);
        for (const { spans } of lines) budget.text(textOf(spans).length);
        return [
          {
            row,
            column,
            rowSpan: spanOf(cell, 'rowSpan'),
            columnSpan: spanOf(cell, 'gridSpan'),
            blocks: assembleFlow(lines),
          },
        ];
      }),
    );
    const place = { page: this.#page, source: this.#part, ...(hidden ? { hidden } : {}) };
    const found = tableOf({ ...place, headerRows: headed ? 1 : 0, cells }, budget);
    return found === null ? [] : [found];
  }
}

/** What is read of a slide. */
export interface SlideText {
  readonly hidden: boolean;
  readonly title: string | undefined;
  readonly blocks: readonly Block[];
}

async function notesOf(presentation: Presentation, part: string | undefined, page: number): Promise<Block[]> {
  if (part === undefined) return [];
  const { office, depth, letters } = presentation;
  const root = (await office.tree(part, (content) => countSpoken(letters, content))) ?? undefined;
  const reader = new SlideReader(presentation, part, page, await office.relations(part), {
    layout: emptyModel,
    master: emptyModel,
  });
  const items: FlowItem[] = [];
  for (const shape of shapesOf(root, depth))
    if (shape.placeholder?.type === 'body') append(items, await reader.items(shape));
  const blocks = assembleFlow(items);
  return blocks.length === 0
    ? []
    : [{ type: 'footnote', kind: 'speaker', id: `speaker-${page}`, page, source: part, blocks }];
}

/** Comments and the answers to them, in the older form or the newer one. Source: ECMA-376 part 1, 19.4; MS-PPTX 2.6.8. */
function commentsIn(root: XmlElement | undefined): { readonly author: string; readonly text: string }[] {
  const author = (comment: XmlElement) => attributeOf(comment, 'authorId') ?? '';
  const newer = (comment: XmlElement) => {
    const body = childOf(comment, 'p188:txBody');
    return { author: author(comment), text: body === undefined ? '' : diagramText(body) };
  };
  return [
    ...[...childrenOf(root, 'p:cm')].map((one) => ({ author: author(one), text: innerText(childOf(one, 'p:text')) })),
    ...[...childrenOf(root, 'p188:cm')].flatMap((one) => [
      newer(one),
      ...[...childrenOf(childOf(one, 'p188:replyLst'), 'p188:reply')].map(newer),
    ]),
  ];
}

/** Blocks of comments; `authors` by id. */
async function commentsOf(
  { office, budget, letters }: Presentation,
  part: string | undefined,
  page: number,
  authors: ReadonlyMap<string, string>,
): Promise<Block[]> {
  const root = part === undefined ? null : await office.tree(part, (content) => countComments(letters, content));
  return commentsIn(root ?? undefined).map(({ author: id, text }, at): Block => {
    budget.text(text.length);
    const author = authors.get(id);
    return {
      type: 'footnote',
      kind: 'comment',
      id: `comment-${page}-${at + 1}`,
      page,
      ...(part === undefined ? {} : { source: part }),
      ...(author === undefined ? {} : { author }),
      blocks: text.trim() === '' ? [] : [{ type: 'paragraph', page, spans: [{ text: text.trim() }] }],
    };
  });
}

/** Reads a slide: its text in the order of reading, what its speaker says, comments. Null where it can't be read. */
export async function readSlide(
  presentation: Presentation,
  part: string,
  page: number,
  authors: ReadonlyMap<string, string>,
): Promise<SlideText | null> {
  const { office, depth, letters } = presentation;
  const root = await office.tree(part, (content) => countPart(letters, content));
  if (root === null) return null;
  const relations = await office.relations(part);
  const layoutPart = targetOf(relations, 'slideLayout');
  const masterPart = layoutPart === undefined ? undefined : targetOf(await office.relations(layoutPart), 'slideMaster');
  const models = { layout: await modelOf(presentation, layoutPart), master: await modelOf(presentation, masterPart) };
  const reader = new SlideReader(presentation, part, page, relations, models);
  const shapes = shapesOf(root, depth).map((shape) => withInheritedFrame(shape, models));
  const items: FlowItem[] = [];
  const foot: FlowItem[] = [];
  for (const shape of inReadingOrder(shapes)) {
    const into = marginPlaceholders.has(shape.placeholder?.type ?? '') ? foot : items;
    append(into, await reader.items(shape));
  }
  const footer = assembleFlow(foot);
  const connected = connectedBoxes(shapes, { page, source: part });
  const blocks = [
    ...assembleFlow(items),
    ...connected,
    ...(footer.length > 0 ? [{ type: 'footer' as const, page, source: part, blocks: footer }] : []),
    ...(await notesOf(presentation, targetOf(relations, 'notesSlide'), page)),
    ...(await commentsOf(presentation, targetOf(relations, 'comments'), page, authors)),
  ];
  countBlocks(letters, [...blocks.filter((block) => !connected.some((one) => one === block)), ...footer]);
  const hidden = ['0', 'false'].includes(attributeOf(root, 'show') ?? '1');
  const title = blocks.find((block) => block.type === 'heading');
  return {
    hidden,
    title: title?.type === 'heading' ? textOf(title.spans) : undefined,
    blocks: hidden ? blocks.map((block) => ({ ...block, hidden: true })) : blocks,
  };
}
