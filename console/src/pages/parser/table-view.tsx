import type { ParserContent, ParserTable } from '@ai-studio/contract/console/parser.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './content.module.css';
import { type Place, rowsOf } from './rows.ts';
import { Spans } from './spans.tsx';

/** Writes what a cell holds. */
type Write = (content: readonly ParserContent[]) => ReactNode;

interface RowProps {
  readonly places: readonly Place[];
  readonly inHead: boolean;
  readonly write: Write;
}

function Row({ places, inHead, write }: RowProps) {
  return (
    <tr>
      {places.map((place) => {
        // A place without anything is no control.
        // oxlint-disable-next-line jsx-a11y/control-has-associated-label
        if ('empty' in place) return <td key={place.column} colSpan={place.empty} />;
        const { header, hidden, row_span: rowSpan, column_span: colSpan, content } = place.cell;
        const Name = inHead || header ? 'th' : 'td';
        return (
          <Name
            key={place.column}
            rowSpan={rowSpan}
            colSpan={colSpan}
            data-hidden={hidden}
            {...(Name === 'th' ? { scope: inHead ? 'col' : 'row' } : {})}
          >
            {write(content)}
          </Name>
        );
      })}
    </tr>
  );
}

/** A table, or some of its rows below its headings. */
export function TableView({ table, write }: { readonly table: ParserTable; readonly write: Write }) {
  const { t } = useTranslation('parts');
  const { header_rows: heads, from_row: from, to_row: to, caption } = table;
  const rows = (begin: number, end: number, inHead: boolean) =>
    rowsOf(table, begin, end).map((places, at) => (
      <Row key={begin + at} places={places} inHead={inHead} write={write} />
    ));
  return (
    // A table that is wider than its place is scrolled by keys too.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={classes['tableFrame']} role="group" tabIndex={0} aria-label={t('table')}>
      <table className={classes['table']}>
        {caption === undefined ? null : (
          <caption>
            <Spans spans={caption} />
          </caption>
        )}
        {heads > 0 ? <thead>{rows(0, heads, true)}</thead> : null}
        <tbody>{rows(from, to, false)}</tbody>
      </table>
    </div>
  );
}
