import { type Block, type Box, type Document, type Page, type Span, type Table, textOf } from '../document.ts';
import { blockText } from './text.ts';

// A document in the form of Docling. Source: docling-core 2.104, types/doc/document.py, DoclingDocument 1.10.

/** Version of the form that is written. */
const VERSION = '1.10.0';

type Json = Readonly<Record<string, unknown>>;
interface Ref {
  readonly $ref: string;
}
type Layer = 'body' | 'furniture' | 'invisible';

const BODY: Ref = { $ref: '#/body' };

const layerOf = ({ type, hidden }: Block): Layer =>
  hidden === true ? 'invisible' : type === 'header' || type === 'footer' ? 'furniture' : 'body';

const cellsOf = ({ cells }: Table): readonly Json[] =>
  cells.map((cell) => ({
    row_span: cell.rowSpan,
    col_span: cell.columnSpan,
    start_row_offset_idx: cell.row,
    end_row_offset_idx: cell.row + cell.rowSpan,
    start_col_offset_idx: cell.column,
    end_col_offset_idx: cell.column + cell.columnSpan,
    text: cell.blocks.map(blockText).join('\n'),
    column_header: cell.header === true,
    row_header: false,
    row_section: false,
    fillable: false,
    // Boxes of cells are those on the page of the table.
    ...(cell.box === undefined || cell.page !== undefined ? {} : { bbox: boundsOf(cell.box) }),
  }));

const boundsOf = ({ x, y, width, height }: Box): Json => ({
  l: x,
  t: y,
  r: x + width,
  b: y + height,
  coord_origin: 'TOPLEFT',
});

/** Lists of items, which refer to each other by their places. */
class Items {
  readonly children: Ref[] = [];
  readonly groups: Json[] = [];
  readonly texts: Json[] = [];
  readonly tables: Json[] = [];
  readonly pictures: Json[] = [];
  readonly #pages: ReadonlyMap<number, Page>;

  constructor(pages: readonly Page[]) {
    this.#pages = new Map(pages.map((page) => [page.number, page]));
  }

  /** Where a block stands; its whole page where no box is known. */
  #prov({ page, box }: Block, length: number): readonly Json[] {
    if (page === null) return [];
    const { width = 0, height = 0 } = this.#pages.get(page) ?? {};
    const at = box ?? { x: 0, y: 0, width, height };
    const bbox = boundsOf(at);
    return [{ page_no: page, bbox, charspan: [0, length] }];
  }

  #node(ref: Ref, parent: Ref, block: Block, children: readonly Ref[] = []): Json {
    return { self_ref: ref.$ref, parent, children, content_layer: layerOf(block) };
  }

  #text(block: Block, label: string, text: string, more: Json = {}, parent = BODY): Ref {
    const ref = { $ref: `#/texts/${this.texts.length}` };
    const prov = this.#prov(block, text.length);
    this.texts.push({ ...this.#node(ref, parent, block), label, prov, orig: text, text, ...more });
    return ref;
  }

  /** A caption, within what it belongs to. */
  #caption(block: Block, caption: readonly Span[] | undefined, parent: Ref): readonly Ref[] {
    const text = textOf(caption ?? []);
    return text === '' ? [] : [this.#text(block, 'caption', text, {}, parent)];
  }

  add(block: Block): void {
    const ref = this.#item(block);
    this.children.push(ref);
  }

  #item(block: Block): Ref {
    switch (block.type) {
      case 'heading':
        return this.#text(block, 'section_header', textOf(block.spans), { level: block.level });
      case 'paragraph':
        return this.#text(block, block.role === 'title' ? 'title' : 'text', textOf(block.spans));
      case 'list':
        return this.#list(block);
      case 'table':
        return this.#table(block);
      case 'image':
        return this.#picture(block);
      case 'equation':
        return this.#text(block, 'formula', block.latex);
      case 'code':
        return this.#text(block, 'code', block.text, { ...floating, code_language: 'unknown' });
      case 'footnote':
        return this.#text(block, 'footnote', blockText(block));
      case 'header':
        return this.#text(block, 'page_header', blockText(block));
      case 'footer':
        return this.#text(block, 'page_footer', blockText(block));
    }
  }

  #list(block: Extract<Block, { type: 'list' }>): Ref {
    const ref = { $ref: `#/groups/${this.groups.length}` };
    const items = block.items.map(({ spans, marker, ordered: enumerated }) =>
      this.#text(block, 'list_item', textOf(spans), { enumerated, marker }, ref),
    );
    this.groups.push({ ...this.#node(ref, BODY, block, items), name: 'list', label: 'list' });
    return ref;
  }

  #table(block: Table): Ref {
    const ref = { $ref: `#/tables/${this.tables.length}` };
    const captions = this.#caption(block, block.caption, ref);
    const { rows: num_rows, columns: num_cols } = block;
    const data = { table_cells: cellsOf(block), num_rows, num_cols };
    const prov = this.#prov(block, 0);
    this.tables.push({ ...this.#node(ref, BODY, block, captions), label: 'table', prov, ...floating, captions, data });
    return ref;
  }

  #picture(block: Extract<Block, { type: 'image' }>): Ref {
    const ref = { $ref: `#/pictures/${this.pictures.length}` };
    const captions = this.#caption(block, block.caption, ref);
    const words = [block.alt, block.text].filter((text) => text !== undefined && text !== '');
    const own = words.map((text) => this.#text(block, 'text', text ?? '', {}, ref));
    const node = this.#node(ref, BODY, block, [...captions, ...own]);
    this.pictures.push({ ...node, label: 'picture', prov: this.#prov(block, 0), ...floating, captions });
    return ref;
  }
}

/** What may float beside text. */
const floating = { captions: [], references: [], footnotes: [] };

const pagesOf = ({ pages, blocks }: Document): Json => {
  const sizes = new Map(pages.map(({ number, width = 0, height = 0 }) => [number, { width, height }]));
  for (const { page } of blocks) if (page !== null && !sizes.has(page)) sizes.set(page, { width: 0, height: 0 });
  return Object.fromEntries([...sizes].map(([number, size]) => [String(number), { size, page_no: number }]));
};

const root = (name: 'body' | 'furniture', children: readonly Ref[]): Json => ({
  self_ref: `#/${name}`,
  children,
  content_layer: name,
  name: '_root_',
  label: 'unspecified',
});

/** The document as docling-core reads it. Headers, footers and hidden text are in layers of their own. */
export function renderDoclingDocument(document: Document, name: string): Json {
  const items = new Items(document.pages);
  for (const block of document.blocks) items.add(block);
  const { groups, texts, tables, pictures, children } = items;
  return {
    schema_name: 'DoclingDocument',
    version: VERSION,
    name,
    furniture: root('furniture', []),
    body: root('body', children),
    groups,
    texts,
    pictures,
    tables,
    key_value_items: [],
    form_items: [],
    pages: pagesOf(document),
  };
}
