import { attributeOf, childrenOf, type XmlElement } from '../../package/xml.ts';

/** A row of a table. */
export interface FoundRow {
  readonly element: XmlElement;
  readonly header: boolean;
  readonly hidden: boolean;
}

/** Rows in their order, those of groups and headings too. */
export function* rowsOf(table: XmlElement, header: boolean): Generator<FoundRow> {
  for (const child of childrenOf(table)) {
    if (child.name === 'table:table-row') {
      const visibility = attributeOf(child, 'table:visibility') ?? 'visible';
      yield { element: child, header, hidden: visibility !== 'visible' };
    } else if (child.name === 'table:table-header-rows') yield* rowsOf(child, true);
    else if (child.name === 'table:table-rows' || child.name === 'table:table-row-group') yield* rowsOf(child, header);
  }
}
