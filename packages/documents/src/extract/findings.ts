import type { Box } from '../document.ts';
import { coerce } from './coerce.ts';
import { labelKey, titleKeys, withoutUnit } from './labels.ts';
import type { Place } from './places.ts';
import type { Value, WantedValue } from './wanted.ts';

/** A value and where it stands. */
export interface FoundValue {
  /** From the outermost property; numbers are places in lists. */
  readonly path: readonly (string | number)[];
  readonly value: Value;
  readonly page: number | null;
  readonly box?: Box;
  /** 0 to 1: how often what was found so is right. */
  readonly confidence: number;
  readonly source: 'form' | 'table' | 'text';
  /** The words that it was made of. */
  readonly quote: string;
}

/** What rules of each kind are worth: fields say what they are, cells stand beside their label, lines may be prose. */
export const confidences = { field: 0.95, cellBeside: 0.9, cellBelow: 0.8, line: 0.85 } as const;

/** Titles of the parts that something stands in, the outermost first: of each the names of objects that it may be. */
export type Heads = readonly (readonly string[])[];

/** A value that a label asks for at one place. */
export interface Claim {
  readonly wanted: WantedValue;
  /** How many of the objects around it the titles there name. */
  readonly depth: number;
  /** The inmost of them is named, or there are none: the label is of no other object. */
  readonly isFirm: boolean;
  /** The label is that of the schema, without a unit left out. */
  readonly isExact: boolean;
  /** What the unit in the label multiplies numbers with. */
  readonly factor: number;
}

type Found = Omit<FoundValue, 'path'>;

export const MAX_LABEL_LETTERS = 40;
const MAX_QUOTE_LENGTH = 500;

const objectOf = ({ path }: WantedValue): string => path.slice(0, -1).join('\0');

/** The best of what was found for one value. */
interface Kept {
  readonly claim: Claim;
  readonly found: Found;
}

const betterOf = (kept: Kept | undefined, next: Kept): Kept => {
  if (kept === undefined) return next;
  for (const [now, then] of [
    [next.claim.depth, kept.claim.depth],
    [Number(next.claim.isExact), Number(kept.claim.isExact)],
    [next.found.confidence, kept.found.confidence],
  ] as const)
    if (now !== then) return now > then ? next : kept;
  return kept;
};

/** What was found for one value: within the part of its object, and elsewhere. */
class Candidates {
  #best: Kept | undefined;
  /** The part of its object has the label, with or without a value. */
  #isNamed = false;
  #loose: Kept | undefined;
  readonly #looseValues = new Set<Value>();

  name(claim: Claim): void {
    this.#isNamed ||= claim.isFirm;
  }

  add(claim: Claim, found: Found): void {
    if (claim.isFirm) return void (this.#best = betterOf(this.#best, { claim, found }));
    if ((this.#loose?.claim.depth ?? 0) > claim.depth) return;
    if ((this.#loose?.claim.depth ?? 0) < claim.depth) this.#looseValues.clear();
    this.#looseValues.add(found.value);
    this.#loose = betterOf(this.#loose, { claim, found });
  }

  /** Of a label that stands at several places none counts but that in the part of its object. */
  get best(): Found | undefined {
    if (this.#isNamed || this.#best !== undefined) return this.#best?.found;
    return this.#looseValues.size === 1 ? this.#loose?.found : undefined;
  }
}

/** Knows which labels ask for which values, and takes the most certain of what is found for each; of equals the first. */
export class Findings {
  readonly #candidates = new Map<WantedValue, Candidates>();
  readonly #byLabel = new Map<string, WantedValue[]>();
  readonly #around = new Map<WantedValue, readonly ReadonlySet<string>[]>();
  /** Objects that have a label in common, as those of two parties. */
  readonly #parallel = new Map<string, Set<string>>();
  readonly #names = new Map<string, Set<string>>();

  constructor(values: readonly WantedValue[]) {
    for (const value of values) {
      this.#candidates.set(value, new Candidates());
      this.#around.set(
        value,
        (value.within ?? []).map((labels) => new Set(labels)),
      );
      for (const label of value.labels) this.#byLabel.set(label, [...(this.#byLabel.get(label) ?? []), value]);
      for (const name of value.within?.at(-1) ?? []) this.#addTo(this.#names, name, objectOf(value));
      for (const names of value.within?.slice(0, -1) ?? [])
        for (const name of names) this.#addTo(this.#names, name, '');
    }
    for (const sharing of this.#byLabel.values())
      for (const one of sharing)
        for (const other of sharing)
          if (objectOf(one) !== objectOf(other)) this.#addTo(this.#parallel, objectOf(one), objectOf(other));
  }

  #addTo(map: Map<string, Set<string>>, key: string, value: string): void {
    const known = map.get(key);
    if (known === undefined) map.set(key, new Set([value]));
    else known.add(value);
  }

  /** The schema has objects within it. */
  get hasObjects(): boolean {
    return this.#names.size > 0;
  }

  /** The names of objects that this title of a part may be. */
  headKeys(title: string): readonly string[] {
    if (!this.hasObjects || title.length > MAX_LABEL_LETTERS * 2) return [];
    return titleKeys(title).filter((key) => this.#names.has(key));
  }

  isLabel(text: string): boolean {
    return this.#labelled(text, []).length > 0;
  }

  /** The values that this label asks for here; of a label of several objects those of the one whose part this is. */
  claims(label: string, heads: Heads): readonly Claim[] {
    const claims = this.#compete(this.#labelled(label, heads));
    for (const claim of claims) this.#candidates.get(claim.wanted)?.name(claim);
    return claims;
  }

  /** The claim of a value that no label asks for. */
  loneClaim(wanted: WantedValue): Claim {
    return { wanted, depth: 0, isFirm: (wanted.within?.length ?? 0) === 0, isExact: false, factor: 1 };
  }

  add(claim: Claim, found: Found): void {
    this.#candidates.get(claim.wanted)?.add(claim, { ...found, quote: found.quote.slice(0, MAX_QUOTE_LENGTH) });
  }

  /** Adds a text as the value that is asked for, where it can be that. */
  addText(claim: Claim, text: string, how: keyof typeof confidences, source: FoundValue['source'], place: Place) {
    const value = coerce(text, claim.wanted, claim.factor);
    if (value !== null) this.add(claim, { ...place, value, confidence: confidences[how], source, quote: text.trim() });
    return value !== null;
  }

  has(wanted: WantedValue): boolean {
    return this.#candidates.get(wanted)?.best !== undefined;
  }

  all(): FoundValue[] {
    return [...this.#candidates].flatMap(([{ path }, { best }]) => (best === undefined ? [] : [{ ...best, path }]));
  }

  #labelled(text: string, heads: Heads): readonly RankedClaim[] {
    if (text.length > MAX_LABEL_LETTERS * 2) return [];
    const key = labelKey(text);
    const exact = this.#ranked(this.#byLabel.get(key), heads, { isExact: true, factor: 1 });
    if (exact.length > 0) return exact;
    const named = this.hasObjects ? this.#namedWithin(key, heads) : [];
    if (named.length > 0) return named;
    const bare = withoutUnit(text);
    if (bare === null) return [];
    return this.#ranked(this.#byLabel.get(labelKey(bare.label)), heads, { isExact: false, factor: bare.factor });
  }

  /** A label that names its object too: `발주자 상호`, `상호(발주자)`. */
  #namedWithin(key: string, heads: Heads): readonly RankedClaim[] {
    for (let at = 1; at < key.length; at++)
      for (const [name, label] of [
        [key.slice(0, at), key.slice(at)],
        [key.slice(at), key.slice(0, at)],
      ] as const) {
        const values = this.#names.has(name) ? this.#byLabel.get(label) : undefined;
        const own = values?.filter((value) => this.#around.get(value)?.some((names) => names.has(name)));
        const ranked = this.#ranked(own, [...heads, [name]], { isExact: true, factor: 1 });
        if (ranked.length > 0) return ranked;
      }
    return [];
  }

  #ranked(
    values: readonly WantedValue[] = [],
    heads: Heads,
    how: Pick<Claim, 'isExact' | 'factor'>,
  ): readonly RankedClaim[] {
    return values.map((wanted) => {
      const places = (this.#around.get(wanted) ?? []).map((names) =>
        heads.findLastIndex((keys) => keys.some((key) => names.has(key))),
      );
      const depth = places.filter((place) => place >= 0).length;
      const isFirm = (places.at(-1) ?? 0) >= 0;
      return { claim: { wanted, depth, isFirm, ...how }, inmost: Math.max(-1, ...places), heads };
    });
  }

  /** Those whose objects the titles name, the most of them and the inmost; none where they do not tell. */
  #compete(ranked: readonly RankedClaim[]): readonly Claim[] {
    const depth = Math.max(0, ...ranked.map(({ claim }) => claim.depth));
    const inmost = Math.max(-1, ...ranked.filter(({ claim }) => claim.depth === depth).map((one) => one.inmost));
    let best = ranked.filter(({ claim, inmost: at }) => claim.depth === depth && at === inmost);
    // Without any title a label is that of the schema itself.
    if (depth === 0 && best.some(({ claim }) => claim.isFirm)) best = best.filter(({ claim }) => claim.isFirm);
    if (new Set(best.map(({ claim }) => objectOf(claim.wanted))).size > 1) return [];
    return best.filter((one) => !this.#isOfOther(one)).map(({ claim }) => claim);
  }

  /** It stands in the part of an object that has the same labels, and not in that of its own. */
  #isOfOther({ claim: { wanted, depth, isFirm }, heads }: RankedClaim): boolean {
    if (depth > 0 || isFirm) return false;
    const others = this.#parallel.get(objectOf(wanted));
    return heads.some((keys) =>
      keys.some((key) => [...(this.#names.get(key) ?? [])].some((name) => others?.has(name))),
    );
  }
}

interface RankedClaim {
  readonly claim: Claim;
  /** Place of the inmost title that names an object of it. */
  readonly inmost: number;
  readonly heads: Heads;
}
