import type { GraphicWords } from '../../package/chart.ts';
import { mathmlLatex } from '../../package/mathml.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { chartWords } from './chart.ts';
import { paragraphsIn } from './held.ts';

/** A text, a spreadsheet, a presentation or a drawing within a document, with styles of its own. */
export interface EmbeddedDocument {
  readonly kind: 'document';
  readonly content: XmlElement;
  readonly styles: XmlElement | null;
  /** What stands in its paragraphs, as far as that is known. */
  readonly words: string;
}

/** Reads a part of the package; null for one that can not be read. `saw` gets what it is made of. */
export type ReadPart = (name: string, saw?: (content: Uint8Array) => void) => Promise<XmlElement | null>;

/** What a document within a document is read as. */
export type EmbeddedObject =
  | { readonly kind: 'chart'; readonly words: GraphicWords }
  | { readonly kind: 'formula'; readonly latex: string }
  | EmbeddedDocument;

const objectNames = new Set(['draw:object', 'draw:object-ole']);

/** The frame's object. */
export const objectIn = (frame: XmlElement): XmlElement | undefined =>
  [...childrenOf(frame)].find(({ name }) => objectNames.has(name));

/** The folder of an object in the package: `./Object 1`. */
const folderOf = (object: XmlElement): string =>
  (attributeOf(object, 'xlink:href') ?? '').replace(/^(?:\.?\/)+|\/+$/g, '').replace(/^#/, '');

const documentNames = new Set(['office:text', 'office:spreadsheet', 'office:presentation', 'office:drawing']);

/** What stands in an object; null for what is none of OpenDocument. */
function objectOf(content: XmlElement): EmbeddedObject | null {
  if (content.name === 'math:math') return { kind: 'formula', latex: mathmlLatex(content) };
  const [body] = childrenOf(childOf(content, 'office:body'));
  if (body?.name === 'office:chart') return { kind: 'chart', words: chartWords(body) };
  return documentNames.has(body?.name ?? '') ? { kind: 'document', content, styles: null, words: '' } : null;
}

async function loadObject(folder: string, part: ReadPart): Promise<EmbeddedObject | null> {
  let written: Uint8Array | null = null;
  const content = await part(`${folder}/content.xml`, (bytes) => (written = bytes));
  const object = content === null ? null : objectOf(content);
  if (object?.kind !== 'document') return object;
  return {
    ...object,
    styles: await part(`${folder}/styles.xml`),
    words: written === null ? '' : paragraphsIn(written),
  };
}

/** What the objects of a document say, by their folders; each is read once, however often the document shows it. */
export class EmbeddedObjects {
  readonly #known = new Map<string, EmbeddedObject | null>();

  /** Reads all that `content` shows. */
  async load(content: XmlElement, part: ReadPart): Promise<void> {
    const stack = [content];
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      for (const child of childrenOf(element)) {
        if (!objectNames.has(child.name)) {
          stack.push(child);
          continue;
        }
        const folder = folderOf(child);
        if (folder === '' || this.#known.has(folder)) continue;
        this.#known.set(folder, await loadObject(folder, part));
      }
    }
  }

  /** What an object says; undefined where that is not known. Some files write it where it stands. */
  find(object: XmlElement): EmbeddedObject | undefined {
    const [inner] = childrenOf(object);
    return (inner === undefined ? this.#known.get(folderOf(object)) : objectOf(inner)) ?? undefined;
  }
}
