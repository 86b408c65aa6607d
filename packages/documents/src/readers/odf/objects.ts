import type { GraphicWords } from '../../package/chart.ts';
import { mathmlLatex } from '../../package/mathml.ts';
import { attributeOf, childOf, childrenOf, type XmlElement } from '../../package/xml.ts';
import { chartWords } from './chart.ts';

/** What a document within a document is read as. */
export type EmbeddedObject =
  | { readonly kind: 'chart'; readonly words: GraphicWords }
  | { readonly kind: 'formula'; readonly latex: string };

const objectNames = new Set(['draw:object', 'draw:object-ole']);

/** The frame's object. */
export const objectIn = (frame: XmlElement): XmlElement | undefined =>
  [...childrenOf(frame)].find(({ name }) => objectNames.has(name));

/** The folder of an object in the package: `./Object 1`. */
const folderOf = (object: XmlElement): string =>
  (attributeOf(object, 'xlink:href') ?? '').replace(/^(?:\.?\/)+|\/+$/g, '').replace(/^#/, '');

/** What stands in an object; null for what is neither a chart nor a formula. */
function objectOf(content: XmlElement): EmbeddedObject | null {
  if (content.name === 'math:math') return { kind: 'formula', latex: mathmlLatex(content) };
  const chart = childOf(childOf(content, 'office:body'), 'office:chart');
  return chart === undefined ? null : { kind: 'chart', words: chartWords(chart) };
}

/** What the objects of a document say, by their folders; each is read once, however often the document shows it. */
export class EmbeddedObjects {
  readonly #known = new Map<string, EmbeddedObject | null>();

  /** Reads all that `content` shows. `part` gives the content of a part of the package, null for one that can not be read. */
  async load(content: XmlElement, part: (name: string) => Promise<XmlElement | null>): Promise<void> {
    const stack = [content];
    for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
      for (const child of childrenOf(element)) {
        if (!objectNames.has(child.name)) {
          stack.push(child);
          continue;
        }
        const folder = folderOf(child);
        if (folder === '' || this.#known.has(folder)) continue;
        const root = await part(`${folder}/content.xml`);
        this.#known.set(folder, root === null ? null : objectOf(root));
      }
    }
  }

  /** What an object says; undefined where that is not known. Some files write it where it stands. */
  find(object: XmlElement): EmbeddedObject | undefined {
    const [inner] = childrenOf(object);
    return (inner === undefined ? this.#known.get(folderOf(object)) : objectOf(inner)) ?? undefined;
  }
}
