import { booleanOf, coerce } from './coerce.ts';
import { type Claim, confidences, type Findings, type Heads } from './findings.ts';
import { labelKey } from './labels.ts';
import { type Place, placeWithin } from './places.ts';
import type { Tick, TickGroup } from './ticks.ts';
import type { Value, WantedValue } from './wanted.ts';

/** A group of boxes with where it stands. */
export interface PlacedGroup {
  readonly group: TickGroup;
  readonly heads: Heads;
  readonly place: Place;
}

/** What boxes say, and the one that says it. */
interface Choice {
  readonly value: Value;
  readonly tick: Tick;
  readonly quote: string;
}

const MAX_GROUPS = 10_000;

const withoutBracket = (text: string) => text.replace(/[(（][^()（）]*[)）]?\s*$/u, '');

/** The option that a caption names, also with a remark behind it: `기타( 자전거 )`. */
function optionOf({ captions }: Tick, wanted: WantedValue): { value: Value; caption: string } | null {
  for (const caption of captions)
    for (const words of [caption, withoutBracket(caption)]) {
      const value = words === '' ? null : coerce(words, wanted);
      if (value !== null) return { value, caption };
    }
  return null;
}

/** What the only box that is ticked says; null where several say different things, or none says anything. */
function choiceOf({ ticks }: TickGroup, wanted: WantedValue): Choice | null {
  const chosen = ticks.flatMap((tick) => {
    const option = tick.isTicked ? optionOf(tick, wanted) : null;
    return option === null ? [] : [{ value: option.value, tick, quote: option.caption }];
  });
  return new Set(chosen.map(({ value }) => value)).size === 1 ? (chosen[0] ?? null) : null;
}

/** A box that stands alone behind its label says it by itself; of several the caption of the ticked one does. */
function booleanChoice({ ticks, labels }: TickGroup, wanted: WantedValue): Choice | null {
  const [tick, ...others] = ticks;
  const caption = tick?.captions[0] ?? '';
  const isLone = caption === '' || wanted.labels.includes(labelKey(caption));
  if (tick !== undefined && others.length === 0 && isLone)
    return { value: tick.isTicked, tick, quote: labels[0] ?? caption };
  return choiceOf({ ticks, labels }, wanted);
}

/** Captions of all that is ticked, as a text. */
function textChoice({ ticks }: TickGroup): Choice | null {
  const ticked = ticks.filter(({ isTicked, captions }) => isTicked && captions.length > 0);
  const quote = ticked.map(({ captions }) => captions[0]).join(', ');
  return ticked[0] === undefined ? null : { value: quote, tick: ticked[0], quote };
}

function choiceFor(group: TickGroup, wanted: WantedValue): Choice | null {
  if (wanted.type === 'boolean') return booleanChoice(group, wanted);
  if (wanted.type === 'string' && wanted.options === undefined && wanted.date !== true) return textChoice(group);
  return choiceOf(group, wanted);
}

/** Yes or no is said to what stands before it, known or not. */
const isYesOrNo = ({ options = [] }: WantedValue) => options.some((option) => booleanOf(String(option)) !== null);

/** Takes the groups of boxes of a document, and what they say of the values that are wanted. */
export class Choices {
  readonly #findings: Findings;
  readonly #groups: PlacedGroup[] = [];

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  add(one: PlacedGroup): void {
    if (this.#groups.length < MAX_GROUPS) this.#groups.push(one);
  }

  /** Adds what the boxes say to the findings: by their label, else by a caption that nothing else in the document offers. */
  conclude(wanted: readonly WantedValue[]): void {
    const lone = this.#groups.filter((one) => {
      const isLabelled = this.#addLabelled(one);
      this.#addCaptions(one);
      return !isLabelled;
    });
    const choosing = wanted.filter(({ options, type }) => options !== undefined && type !== 'boolean');
    for (const own of choosing) this.#addLone(own, lone, choosing);
  }

  #add(claim: Claim, { value, tick, quote }: Choice, { place }: PlacedGroup): void {
    const at = placeWithin(place, place.page, tick.box);
    this.#findings.add(claim, { ...at, value, confidence: confidences.field, source: 'form', quote });
  }

  /** The first label that asks for something has all that is ticked; false where none does. */
  #addLabelled(one: PlacedGroup): boolean {
    const label = one.group.labels.find((text) => this.#findings.isLabel(text));
    if (label === undefined) return false;
    for (const claim of this.#findings.claims(label, one.heads)) {
      const choice = choiceFor(one.group, claim.wanted);
      if (choice !== null) this.#add(claim, choice, one);
    }
    return true;
  }

  /** Captions that are labels themselves: `☑ 동의함` of a value 동의함. */
  #addCaptions(one: PlacedGroup): void {
    for (const tick of one.group.ticks)
      for (const caption of tick.captions) {
        if (!this.#findings.isLabel(caption)) continue;
        for (const claim of this.#findings.claims(caption, one.heads))
          if (claim.wanted.type === 'boolean') this.#add(claim, { value: tick.isTicked, tick, quote: caption }, one);
      }
  }

  /** The only group that offers what the value may be, where no other value may be that. */
  #addLone(own: WantedValue, lone: readonly PlacedGroup[], choosing: readonly WantedValue[]): void {
    const offers = ({ group }: PlacedGroup, wanted: WantedValue) =>
      group.ticks.some((tick) => optionOf(tick, wanted) !== null);
    const [one, ...others] = this.#groups.filter((group) => offers(group, own));
    if (one === undefined || others.length > 0 || !lone.includes(one) || this.#findings.has(own)) return;
    if (choosing.some((other) => other !== own && offers(one, other))) return;
    if (one.group.labels.length > 0 && isYesOrNo(own)) return;
    const choice = choiceOf(one.group, own);
    if (choice !== null) this.#add(this.#findings.loneClaim(own), choice, one);
  }
}
