import type { Element, Node } from '@xmldom/xmldom';
import { createClickHere } from './click-here.ts';
import { fillContentControl } from './content-control.ts';
import type { Lookup } from './data.ts';
import { fillFormObject, formObjects } from './form-object.ts';
import { elementsBelow } from './tree.ts';

/**
 * Fills the fields that the programs themselves know by name: content controls of Word, 누름틀 and forms of Hancom Office. Those that are `done` stay,
 * and so do those that the data has no value for, whose names are kept.
 */
export function fillControls(root: Node, lookup: Lookup, done: WeakSet<Element>): void {
  const clickHere = createClickHere(lookup);
  // All of them first: what is filled changes what lies below.
  const elements = Array.from(elementsBelow(root));
  for (const element of elements) {
    if (done.has(element)) continue;
    done.add(element);
    const { localName } = element;
    if (localName === 'sdt') fillContentControl(element, lookup);
    else if (formObjects.has(localName ?? '')) fillFormObject(element, lookup);
    else if (localName === 'p') clickHere.paragraph(element);
  }
  clickHere.end();
}
