import { deflateSync } from 'node:zlib';

/** Writes small PDF files for tests. Places are points from the upper left corner of a page. */

export interface TextLook {
  readonly size?: number;
  readonly bold?: boolean;
  /** Letters all as wide as each other. */
  readonly fixed?: boolean;
  /** 0 to 1 each. */
  readonly colour?: readonly [number, number, number];
  /** Text rendering mode; 3 paints nothing. */
  readonly mode?: number;
  /** White behind each letter, in points. */
  readonly spacing?: number;
  /** Degrees, against the clock. */
  readonly angle?: number;
  /** The file does not say which characters its letters are. */
  readonly unmapped?: boolean;
  /** Marked content that the text belongs to, for the structure tree. */
  readonly mark?: { readonly tag: string; readonly id: number };
}

const fonts = { regular: 'F1', bold: 'F2', fixed: 'F3', unmapped: 'F4' } as const;
const LATIN_WIDTH = 500;
const WIDE_WIDTH = 1_000;

const isWide = (code: number) => code >= 0x11_00;

/** Width of a text as it is written, in points. */
export const textWidth = (text: string, size = 10): number =>
  [...text].reduce((sum, letter) => sum + (isWide(letter.charCodeAt(0)) ? WIDE_WIDTH : LATIN_WIDTH), 0) *
  (size / 1_000);

/** A text as a PDF file has it: UTF-16 in hexadecimal digits. */
export const wide = (text: string): string => `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;

const number = (value: number) => String(Math.round(value * 1_000) / 1_000);

export class PdfPage {
  readonly width: number;
  readonly height: number;
  readonly rotate: number;
  readonly content: string[] = [];
  /** Blanks behind its content, packed: a page that swells when it is read. */
  blanks = 0;
  readonly widgets: string[] = [];
  readonly links: { rect: readonly number[]; address: string }[] = [];
  readonly #used: Set<number>;

  constructor(used: Set<number>, { width = 595, height = 842, rotate = 0 } = {}) {
    this.#used = used;
    this.width = width;
    this.height = height;
    this.rotate = rotate;
  }

  /** One line of text; `y` is the line that it stands on. */
  text(x: number, y: number, text: string, look: TextLook = {}): this {
    const { size = 10, bold = false, fixed = false, colour = [0, 0, 0], mode = 0, angle = 0, unmapped = false } = look;
    const font = unmapped ? fonts.unmapped : bold ? fonts.bold : fixed ? fonts.fixed : fonts.regular;
    const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    for (const code of codes) this.#used.add(code);
    const hex = codes.map((code) => code.toString(16).padStart(4, '0')).join('');
    const [cos, sin] = [Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)];
    const matrix = [cos, sin, -sin, cos, x, this.height - y].map(number).join(' ');
    const begin = look.mark === undefined ? '' : `/${look.mark.tag} <</MCID ${look.mark.id}>> BDC `;
    const end = look.mark === undefined ? '' : ' EMC';
    this.content.push(
      `${begin}q BT /${font} ${size} Tf ${colour.map(number).join(' ')} rg ${mode} Tr ${look.spacing ?? 0} Tc ${matrix} Tm <${hex}> Tj ET Q${end}`,
    );
    return this;
  }

  /** Lines of one paragraph, one below the other. */
  lines(x: number, y: number, lines: readonly string[], look: TextLook & { pitch?: number } = {}): this {
    const pitch = look.pitch ?? (look.size ?? 10) * 1.4;
    for (const [at, line] of lines.entries()) this.text(x, y + at * pitch, line, look);
    return this;
  }

  line(x0: number, y0: number, x1: number, y1: number): this {
    this.content.push(
      `q 0.5 w ${number(x0)} ${number(this.height - y0)} m ${number(x1)} ${number(this.height - y1)} l S Q`,
    );
    return this;
  }

  fill(x: number, y: number, width: number, height: number, colour: readonly [number, number, number]): this {
    this.content.push(
      `q ${colour.map(number).join(' ')} rg ${number(x)} ${number(this.height - y - height)} ${number(width)} ${number(height)} re f Q`,
    );
    return this;
  }

  /** A line from point to point, or the area within it. */
  path(
    points: readonly (readonly [x: number, y: number])[],
    { stroke, fill }: { stroke?: readonly number[]; fill?: readonly number[] } = {},
  ): this {
    const steps = points.map(([x, y], at) => `${number(x)} ${number(this.height - y)} ${at === 0 ? 'm' : 'l'}`);
    const paint =
      fill === undefined ? `${(stroke ?? [0, 0, 0]).map(number).join(' ')} RG` : `${fill.map(number).join(' ')} rg`;
    this.content.push(`q 1 w ${paint} ${steps.join(' ')} ${fill === undefined ? 'S' : 'h f'} Q`);
    return this;
  }

  /** A part of a pie, between two angles clockwise from the right, in radians. */
  wedge(x: number, y: number, radius: number, from: number, to: number, colour: readonly number[]): this {
    const at = (angle: number) => [x + radius * Math.cos(angle), this.height - y - radius * Math.sin(angle)] as const;
    const parts = Math.max(1, Math.ceil((to - from) / (Math.PI / 2)));
    const step = (to - from) / parts;
    const reach = (4 / 3) * Math.tan(step / 4) * radius;
    let path = `${number(x)} ${number(this.height - y)} m ${at(from).map(number).join(' ')} l`;
    for (let part = 0; part < parts; part++) {
      const [a, b] = [from + part * step, from + (part + 1) * step];
      const [start, end] = [at(a), at(b)];
      const curve = [
        start[0] - reach * Math.sin(a),
        start[1] - reach * Math.cos(a),
        end[0] + reach * Math.sin(b),
        end[1] + reach * Math.cos(b),
        ...end,
      ];
      path += ` ${curve.map(number).join(' ')} c`;
    }
    this.content.push(`q ${colour.map(number).join(' ')} rg ${path} h f Q`);
    return this;
  }

  /** A picture of one grey dot, as large as one likes. */
  image(x: number, y: number, width: number, height: number): this {
    this.content.push(
      `q ${number(width)} 0 0 ${number(height)} ${number(x)} ${number(this.height - y - height)} cm /I1 Do Q`,
    );
    return this;
  }

  /** A square to tick, drawn as lines, with a mark in it where it is ticked. */
  box(x: number, y: number, side: number, mark = false): this {
    const [left, low] = [x, this.height - y - side];
    const at = (across: number, up: number) => `${number(left + across * side)} ${number(low + up * side)}`;
    const tick = mark ? ` ${at(0.1, 0.5)} m ${at(0.4, 0.2)} l ${at(0.9, 0.9)} l S` : '';
    this.content.push(`q 0.5 w ${at(0, 0)} m ${at(1, 0)} l ${at(1, 1)} l ${at(0, 1)} l h S${tick} Q`);
    return this;
  }

  /** A circle to tick, filled in the middle where it is. */
  circle(x: number, y: number, side: number, mark = false): this {
    const arc = (radius: number) => {
      const [cx, cy, k] = [x + side / 2, this.height - y - side / 2, radius * 0.5523];
      const p = (dx: number, dy: number) => `${number(cx + dx)} ${number(cy + dy)}`;
      return `${p(radius, 0)} m ${p(radius, k)} ${p(k, radius)} ${p(0, radius)} c ${p(-k, radius)} ${p(-radius, k)} ${p(-radius, 0)} c ${p(-radius, -k)} ${p(-k, -radius)} ${p(0, -radius)} c ${p(k, -radius)} ${p(radius, -k)} ${p(radius, 0)} c h`;
    };
    this.content.push(`q 0.5 w ${arc(side / 2)} S${mark ? ` ${arc(side / 4)} f` : ''} Q`);
    return this;
  }

  /** A field of a form: `dictionary` has its type, name and value. */
  widget(x: number, y: number, width: number, height: number, dictionary: string): this {
    const rect = [x, this.height - y - height, x + width, this.height - y];
    this.widgets.push(`/Rect [${rect.map(number).join(' ')}] ${dictionary}`);
    return this;
  }

  link(x: number, y: number, width: number, height: number, address: string): this {
    this.links.push({ rect: [x, this.height - y - height, x + width, this.height - y], address });
    return this;
  }

  /** Every line of a grid of cells with the texts in them. */
  table(x: number, y: number, widths: readonly number[], rows: readonly (readonly string[])[], rowHeight = 20): this {
    const right = x + widths.reduce((sum, width) => sum + width, 0);
    const bottom = y + rows.length * rowHeight;
    for (let row = 0; row <= rows.length; row++) this.line(x, y + row * rowHeight, right, y + row * rowHeight);
    let edge = x;
    for (let column = 0; column <= widths.length; column++) {
      this.line(edge, y, edge, bottom);
      for (const [row, texts] of rows.entries()) {
        const text = texts[column];
        if (text !== undefined && text !== '') this.text(edge + 4, y + row * rowHeight + 14, text);
      }
      edge += widths[column] ?? 0;
    }
    return this;
  }
}

export class PdfWriter {
  readonly #pages: PdfPage[] = [];
  readonly #bookmarks: { title: string; page: number }[] = [];
  readonly #attached: { name: string; content: Uint8Array; page: number }[] = [];
  readonly #used = new Set<number>();
  readonly #info: Record<string, string>;
  #structure: { tag: string; id: number }[] = [];

  constructor(info: Record<string, string> = {}) {
    this.#info = info;
  }

  page(size: { width?: number; height?: number; rotate?: number } = {}): PdfPage {
    const page = new PdfPage(this.#used, size);
    this.#pages.push(page);
    return page;
  }

  /** A file that is attached to the document, or pinned to a page of it; pages begin at 1. */
  attach(name: string, content: Uint8Array, page = 0): this {
    this.#attached.push({ name, content, page });
    return this;
  }

  /** A bookmark of the outermost level; pages begin at 1. */
  bookmark(title: string, page: number): this {
    this.#bookmarks.push({ title, page });
    return this;
  }

  /** Elements of the structure tree, by marked content of the first page. */
  structure(elements: readonly { tag: string; id: number }[]): this {
    this.#structure = [...elements];
    return this;
  }

  /** The file; `locked` says that it opens with a password alone. */
  bytes({ locked = false } = {}): Buffer {
    const objects: string[] = [];
    const add = (body: string) => objects.push(body);
    const stream = (body: string, entries = '') =>
      `<<${entries} /Length ${Buffer.byteLength(body, 'latin1')}>>\nstream\n${body}\nendstream`;
    // Fixed places: 1 catalog, 2 pages, 3 to 6 fonts, 7 map of characters, 8 picture, then three a font.
    const count = this.#pages.length;
    const firstPage = 21;
    const pageAt = (index: number) => firstPage + index * 2;
    const firstOutline = firstPage + count * 2;
    const outlines = this.#bookmarks.length === 0 ? 0 : this.#bookmarks.length + 1;
    const structAt = firstOutline + outlines;
    const infoAt = structAt + (this.#structure.length === 0 ? 0 : this.#structure.length + 1);
    const widgets = this.#pages.flatMap((page) => page.widgets);
    const widgetAt = (page: number, index: number) =>
      infoAt + 1 + this.#pages.slice(0, page).reduce((sum, one) => sum + one.widgets.length, 0) + index;
    const attachedAt = infoAt + 1 + widgets.length;
    const attached = this.#attached
      .flatMap(({ name, page }, at) => (page === 0 ? `${wide(name)} ${attachedAt + at * 2} 0 R` : []))
      .join(' ');
    const pinned = (number: number) =>
      this.#attached.flatMap(({ page }, at) =>
        page === number
          ? `<</Type /Annot /Subtype /FileAttachment /Rect [20 20 40 40] /FS ${attachedAt + at * 2} 0 R>>`
          : [],
      );
    const fields = widgets.map((_, at) => `${infoAt + 1 + at} 0 R`).join(' ');
    const extras = [
      widgets.length === 0 ? '' : `/AcroForm <</Fields [${fields}] /DA (/F1 10 Tf) /DR <</Font <</F1 3 0 R>>>>>>`,
      attached === '' ? '' : `/Names <</EmbeddedFiles <</Names [${attached}]>>>>`,
      outlines === 0 ? '' : `/Outlines ${firstOutline} 0 R`,
      this.#structure.length === 0 ? '' : `/StructTreeRoot ${structAt} 0 R /MarkInfo <</Marked true>>`,
    ].join(' ');
    add(`<</Type /Catalog /Pages 2 0 R ${extras}>>`);
    const kids = this.#pages.map((_, at) => `${pageAt(at)} 0 R`).join(' ');
    add(`<</Type /Pages /Kids [${kids}] /Count ${count}>>`);
    const names = ['TestSans', 'TestSans-Bold', 'TestMono', 'TestLost'];
    for (const [at, name] of names.entries())
      add(
        `<</Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${9 + at * 3} 0 R]${name === 'TestLost' ? '' : ' /ToUnicode 7 0 R'}>>`,
      );
    const used = [...this.#used].toSorted((a, b) => a - b);
    const hex = (code: number) => `<${code.toString(16).padStart(4, '0')}>`;
    const blocks: string[] = [];
    for (let at = 0; at < used.length; at += 100) {
      const part = used.slice(at, at + 100);
      blocks.push(
        `${part.length} beginbfchar\n${part.map((code) => `${hex(code)} ${hex(code)}`).join('\n')}\nendbfchar`,
      );
    }
    add(
      stream(
        `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n1 begincodespacerange <0000> <ffff> endcodespacerange\n${blocks.join('\n')}\nendcmap end end`,
      ),
    );
    add(stream('A', '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8'));
    const widths = used.filter((code) => !isWide(code)).map((code) => `${code} [${LATIN_WIDTH}]`);
    for (const [at, name] of names.entries()) {
      add(
        `<</Type /Font /Subtype /CIDFontType2 /BaseFont /${name} /CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> /DW ${WIDE_WIDTH} /W [${widths.join(' ')}] /FontDescriptor ${10 + at * 3} 0 R>>`,
      );
      add(
        `<</Type /FontDescriptor /FontName /${name} /Flags ${name === 'TestMono' ? 5 : 4} /FontBBox [0 -200 1000 800] /ItalicAngle 0 /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80>>`,
      );
      add('null');
    }
    for (const [at, page] of this.#pages.entries()) {
      const links = page.links.map(
        ({ rect, address }) =>
          `<</Type /Annot /Subtype /Link /Rect [${rect.map(number).join(' ')}] /A <</S /URI /URI (${address})>>>>`,
      );
      add(
        `<</Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Rotate ${page.rotate} /Resources <</Font <</F1 3 0 R /F2 4 0 R /F3 5 0 R /F4 6 0 R>> /XObject <</I1 8 0 R>>>> /Contents ${pageAt(at) + 1} 0 R /Annots [${[...links, ...pinned(at + 1), ...page.widgets.map((_, index) => `${widgetAt(at, index)} 0 R`)].join(' ')}] /StructParents ${at}>>`,
      );
      const content = page.content.join('\n');
      if (page.blanks === 0) add(stream(content));
      else {
        const packed = deflateSync(Buffer.concat([Buffer.from(content), Buffer.alloc(page.blanks, ' ')]), { level: 1 });
        add(stream(packed.toString('latin1'), '/Filter /FlateDecode'));
      }
    }
    if (outlines > 0) {
      add(`<</Type /Outlines /First ${firstOutline + 1} 0 R /Last ${firstOutline + outlines - 1} 0 R>>`);
      for (const [at, { title, page }] of this.#bookmarks.entries()) {
        const next = at + 1 < this.#bookmarks.length ? `/Next ${firstOutline + at + 2} 0 R` : '';
        add(`<</Title ${wide(title)} /Parent ${firstOutline} 0 R ${next} /Dest [${pageAt(page - 1)} 0 R /Fit]>>`);
      }
    }
    if (this.#structure.length > 0) {
      const elements = this.#structure.map((_, at) => `${structAt + 1 + at} 0 R`);
      add(`<</Type /StructTreeRoot /K [${elements.join(' ')}] /ParentTree <</Nums [0 [${elements.join(' ')}]]>> >>`);
      for (const { tag, id } of this.#structure)
        add(`<</Type /StructElem /S /${tag} /P ${structAt} 0 R /Pg ${pageAt(0)} 0 R /K ${id}>>`);
    }
    add(
      `<<${Object.entries(this.#info)
        .map(([name, value]) => `/${name} ${wide(value)}`)
        .join(' ')}>>`,
    );
    for (const widget of widgets) add(`<</Type /Annot /Subtype /Widget /F 4 ${widget}>>`);
    for (const [at, { name, content }] of this.#attached.entries()) {
      add(`<</Type /Filespec /F ${wide(name)} /UF ${wide(name)} /EF <</F ${attachedAt + at * 2 + 1} 0 R>>>>`);
      add(stream(Buffer.from(content).toString('latin1'), '/Type /EmbeddedFile'));
    }
    let file = '%PDF-1.7\n';
    const places: number[] = [];
    for (const [at, body] of objects.entries()) {
      places.push(file.length);
      file += `${at + 1} 0 obj\n${body}\nendobj\n`;
    }
    const start = file.length;
    const seal = '5a'.repeat(32);
    const lock = locked
      ? ` /Encrypt <</Filter /Standard /V 1 /R 2 /O <${seal}> /U <${seal}> /P -4>> /ID [<00><00>]`
      : '';
    const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
    file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
    file += `trailer\n<</Size ${objects.length + 1} /Root 1 0 R /Info ${infoAt} 0 R${lock}>>\nstartxref\n${start}\n%%EOF\n`;
    return Buffer.from(file, 'latin1');
  }
}
