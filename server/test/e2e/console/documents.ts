import { type ParserDocument, ParserDocument as Schema } from '@ai-studio/contract/console/parser.ts';
import { cell, paragraph, text, writeHwpx } from '@ai-studio/documents/test/hwpx.ts';
import { PdfWriter } from '@ai-studio/documents/test/pdf.ts';
import type { Person } from '../../support/browser.ts';
import { eventually } from '../../support/eventually.ts';
import { callConsole } from './studio.ts';

/** Two pages with headings, a list and a table. */
export function reportPdf(): Buffer {
  const writer = new PdfWriter({ Title: 'Report' });
  writer
    .page()
    .text(72, 80, '1. Results of the year', { size: 20, bold: true })
    .lines(72, 120, ['Sales have risen in every quarter, and more people', 'than ever before have come to the shops.'])
    .table(
      72,
      170,
      [120, 120],
      [
        ['Quarter', 'Sales'],
        ['First', '1,200'],
        ['Second', '1,450'],
      ],
    );
  writer.page().text(72, 80, '2. Outlook', { size: 20, bold: true }).text(72, 120, 'It goes on.');
  return writer.bytes();
}

/** A sentence and a table, as a Korean office writes them. */
export function leaveHwpx(): Buffer {
  const cells = `<hp:tr>${cell(text('구분'), [0, 0])}${cell(text('일수'), [0, 1])}</hp:tr><hp:tr>${cell(text('결혼'), [1, 0])}${cell(text('닷새'), [1, 1])}</hp:tr>`;
  const table = `<hp:tbl rowCnt="2" colCnt="2"><hp:pos treatAsChar="1"/>${cells}</hp:tbl>`;
  return Buffer.from(
    writeHwpx({ sections: [paragraph(text('경조사 휴가는 다음 표와 같습니다.')) + paragraph(table)] }),
  );
}

/** Gives a file to the parser as a page would, and waits until it is read, or is not. */
export async function readDocument(person: Person, name: string, content: Buffer | string): Promise<ParserDocument> {
  const bytes = Buffer.from(content);
  const response = await person.context.request.fetch(
    `/console/api/parser?name=${encodeURIComponent(name)}&size=${bytes.length}`,
    {
      method: 'POST',
      headers: { Origin: new URL(person.page.url()).origin, 'Content-Type': 'application/octet-stream' },
      data: bytes,
    },
  );
  const { id } = Schema.parse(await response.json());
  return eventually(async () => {
    const document = Schema.parse((await callConsole(person, 'GET', `/parser/${id}`)).body);
    if (document.state !== 'done' && document.state !== 'failed') throw new Error(`it is still ${document.state}`);
    return document;
  });
}
