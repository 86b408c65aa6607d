import { Table } from '@mantine/core';
import { Fragment, type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { enclosedPieces, FOUND } from './marks.ts';
import { PassageMark } from './passage-mark.tsx';
import classes from './passage.module.css';

const spanOf = (element: Element, name: string) => {
  const span = Number(element.getAttribute(name) ?? 1);
  return Number.isInteger(span) && span > 0 && span <= 1_000 ? span : 1;
};

/** Elements that are kept as they are; of all others only what stands in them is. None has attributes. */
const allowedElements = ['p', 'ul', 'ol', 'li', 'strong', 'em', 'del', 's', 'sub', 'sup', 'code'] as const;

const renderText = (text: string): ReactNode =>
  enclosedPieces(text).map((piece, at) =>
    // Pieces have no name but their place.
    // oxlint-disable-next-line react/no-array-index-key
    piece.mark === null ? (
      <Fragment key={at}>{piece.text}</Fragment>
    ) : (
      // oxlint-disable-next-line react/no-array-index-key
      <PassageMark key={at} found={piece.mark === FOUND}>
        {piece.text}
      </PassageMark>
    ),
  );

function renderNode(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return <Fragment key={key}>{renderText(node.textContent ?? '')}</Fragment>;
  if (!(node instanceof Element)) return null;
  const children = Array.from(node.childNodes, renderNode);
  const name = node.localName;
  const cell = { rowSpan: spanOf(node, 'rowspan'), colSpan: spanOf(node, 'colspan') };
  switch (name) {
    case 'table':
      return (
        <Table key={key} withTableBorder withColumnBorders captionSide="top" className={classes['cells'] ?? ''}>
          {children}
        </Table>
      );
    case 'caption':
      return <Table.Caption key={key}>{children}</Table.Caption>;
    case 'thead':
      return <Table.Thead key={key}>{children}</Table.Thead>;
    case 'tbody':
      return <Table.Tbody key={key}>{children}</Table.Tbody>;
    case 'tr':
      return <Table.Tr key={key}>{children}</Table.Tr>;
    case 'th':
      return (
        <Table.Th key={key} {...cell}>
          {children}
        </Table.Th>
      );
    case 'td':
      return (
        <Table.Td key={key} {...cell}>
          {children}
        </Table.Td>
      );
    case 'br':
      return <br key={key} />;
    default: {
      const Tag = allowedElements.find((one) => one === name);
      return Tag === undefined ? <Fragment key={key}>{children}</Fragment> : <Tag key={key}>{children}</Tag>;
    }
  }
}

/** What a passage that begins within a table lacks before its first tag. */
function withBegin(html: string): string {
  if (/^\s*<table\b/i.test(html)) return html;
  const first = /<(\/?)(\w+)/.exec(html);
  const isInCell = first?.[1] === '/' || !/^(?:thead|tbody|tr|th|td)$/i.test(first?.[2] ?? '');
  return `<table>${isInCell || html.slice(0, first?.index).trim() !== '' ? '<tr><td>' : ''}${html}`;
}

/** A table that was written as HTML: its cells alone are taken from it, nothing of it is run or loaded. */
export function HtmlTable({ html }: { readonly html: string }) {
  const { t } = useTranslation('parts');
  const table = useMemo(
    () => new DOMParser().parseFromString(withBegin(html), 'text/html').querySelector('table'),
    [html],
  );
  if (table === null) return null;
  return (
    <Table.ScrollContainer minWidth={320} type="native" mb="md" tabIndex={0} role="group" aria-label={t('table')}>
      {renderNode(table, 0)}
    </Table.ScrollContainer>
  );
}
