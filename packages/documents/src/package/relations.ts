import { childrenOf, type XmlElement } from './xml.ts';

/** A link from one part of an Office file to another part or outside. */
export interface Relation {
  /** Last word of its type, such as `footnotes`. */
  readonly kind: string;
  /** Name of a part, or an address where `external`. */
  readonly target: string;
  readonly external: boolean;
}
export type Relations = ReadonlyMap<string, Relation>;

/** Name of the part that lists the relations of a part. */
export const relationsPart = (part: string): string => {
  const slash = part.lastIndexOf('/');
  return `${part.slice(0, slash + 1)}_rels/${part.slice(slash + 1)}.rels`;
};

/** Name of a part, by the target that another part gives for it. */
export function resolvePart(from: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1);
  const path = from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
}

/** Relations of a part by id; `root` is the tree of its relations part, whose elements are called `rel:…`. */
export function relationsOf(root: XmlElement | null, part: string): Relations {
  const relations = new Map<string, Relation>();
  for (const { attributes } of childrenOf(root ?? undefined)) {
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode } = attributes;
    const external = mode?.toLowerCase() === 'external';
    relations.set(id, {
      kind: type.slice(type.lastIndexOf('/') + 1),
      target: external ? target : resolvePart(part, target),
      external,
    });
  }
  return relations;
}
