import type { Warning } from '../document.ts';
import { createWarnings } from './warnings.ts';
import type { ParseLimits } from '../reader.ts';
import { namespaces } from './office-names.ts';
import { relationsOf, relationsPart, type Relations } from './relations.ts';
import { parseXml, type XmlElement } from './xml.ts';
import { openPackage, type Package } from './zip.ts';

/** A package of Office (DOCX, PPTX, XLSX), with its XML read by names such as `w:p`, `a:t`, `r:id`. */
export interface OfficePackage {
  readonly pack: Package;
  readonly warn: (warning: Warning) => void;
  /** All warnings so far, each once. */
  readonly warnings: () => readonly Warning[];
  /** Tree of a part; null where there is none. `saw` is given its bytes. */
  readonly tree: (part: string, saw?: (content: Uint8Array) => void) => Promise<XmlElement | null>;
  /** Reads the bytes of a part of which one element's children are handed on one by one. */
  readonly stream: (
    part: string,
    content: Uint8Array,
    within: string,
    each: (element: XmlElement) => void,
  ) => XmlElement;
  readonly relations: (part: string) => Promise<Relations>;
  /** The part that the package is about, such as `word/document.xml`; null where it names none. */
  readonly main: () => Promise<string | null>;
}

/** How much deeper the XML of a document goes than what it holds. */
const XML_DEPTH = 4;
export async function openOffice(bytes: Uint8Array, limits: ParseLimits): Promise<OfficePackage> {
  const pack = await openPackage(bytes, limits);
  const { warn, all } = createWarnings();
  const options = (part: string) => ({ namespaces, depth: limits.depth * XML_DEPTH, part, warn });
  const tree: OfficePackage['tree'] = async (part, saw) => {
    const content = await pack.read(part);
    if (content === null) return null;
    saw?.(content);
    return parseXml(content, options(part));
  };
  const relations = async (part: string): Promise<Relations> => relationsOf(await tree(relationsPart(part)), part);
  return {
    pack,
    warn,
    warnings: () => {
      for (const warning of pack.warnings) warn(warning);
      return all();
    },
    tree,
    stream: (part, content, within, each) => parseXml(content, options(part), { within, each }),
    relations,
    main: async () => {
      for (const { kind, target } of (await relations('')).values()) if (kind === 'officeDocument') return target;
      return null;
    },
  };
}
