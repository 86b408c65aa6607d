import type { Element } from '@xmldom/xmldom';
import { attribute, childElements } from './tree.ts';

/** An entry of a list to choose from. */
export interface Entry {
  readonly value: string;
  /** What people see of it. */
  readonly caption: string;
}

/** The entry of a list of Word or Hancom Office that has this caption, else this value. */
export function entryOf(list: Element, given: string): Entry | undefined {
  const entries = childElements(list)
    .filter(({ localName }) => localName === 'listItem')
    .map((item): Entry => {
      const value = attribute(item, 'value') ?? '';
      return { value, caption: attribute(item, 'displayText') || value };
    });
  return entries.find(({ caption }) => caption === given) ?? entries.find(({ value }) => value === given);
}
