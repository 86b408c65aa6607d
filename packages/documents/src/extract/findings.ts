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

const sources: readonly FoundValue['source'][] = ['form', 'text', 'table'];
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

/** What a label asks for, wherever it stands. */
interface Asked {
  readonly values: readonly WantedValue[];
  /** The object that the label names itself; empty for none. */
  readonly name: string;
  readonly isExact: boolean;
  readonly factor: number;
}

const nothingAsked: Asked = { values: [], name: '', isExact: false, factor: 1 };

/** Texts that are remembered; the same labels stand in many rows. */
const MAX_KNOWN_TEXTS = 10_000;

/** What is told of short texts, remembered. */
class Known<T> {
  readonly #byText = new Map<string, T>();
  readonly #tell: (text: string) => T;
  readonly #nothing: T;

  constructor(tell: (text: string) => T, nothing: T) {
    this.#tell = tell;
    this.#nothing = nothing;
  }

  of(text: string): T {
    if (text.length > MAX_LABEL_LETTERS * 2) return this.#nothing;
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const told = this.#tell(text);
    if (this.#byText.size < MAX_KNOWN_TEXTS) this.#byText.set(text, told);
    return told;
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
  readonly #asked = new Known((text) => this.#asks(text), nothingAsked);
  readonly #titles = new Known<readonly string[]>(
    (title) => titleKeys(title).filter((key) => this.#names.has(key)),
    [],
  );

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
    return this.hasObjects ? this.#titles.of(title) : [];
  }

  isLabel(text: string): boolean {
    return this.#asked.of(text).values.length > 0;
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

  /** The best of each value: what fields of forms say, then lines, then cells. */
  all(): FoundValue[] {
    const found = [...this.#candidates].flatMap(([{ path }, { best }]) =>
      best === undefined ? [] : [{ ...best, path }],
    );
    return found.toSorted((one, other) => sources.indexOf(one.source) - sources.indexOf(other.source));
  }

  #labelled(text: string, heads: Heads): readonly RankedClaim[] {
    const { values, name, isExact, factor } = this.#asked.of(text);
    return this.#ranked(values, name === '' ? heads : [...heads, [name]], { isExact, factor });
  }

  #asks(text: string): Asked {
    const key = labelKey(text);
    const exact = this.#byLabel.get(key);
    if (exact !== undefined) return { values: exact, name: '', isExact: true, factor: 1 };
    const named = this.hasObjects ? this.#namedWithin(key) : null;
    if (named !== null) return named;
    const bare = withoutUnit(text);
    const values = bare === null ? undefined : this.#byLabel.get(labelKey(bare.label));
    return { values: values ?? [], name: '', isExact: false, factor: bare?.factor ?? 1 };
  }

  /** A label that names its object too: `발주자 상호`, `상호(발주자)`. */
  #namedWithin(key: string): Asked | null {
    for (let at = 1; at < key.length; at++)
      for (const [name, label] of [
        [key.slice(0, at), key.slice(at)],
        [key.slice(at), key.slice(0, at)],
      ] as const) {
        const values = this.#names.has(name) ? (this.#byLabel.get(label) ?? []) : [];
        const own = values.filter((value) => this.#around.get(value)?.some((names) => names.has(name)));
        if (own.length > 0) return { values: own, name, isExact: true, factor: 1 };
      }
    return null;
  }

  #ranked(
    values: readonly WantedValue[],
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
