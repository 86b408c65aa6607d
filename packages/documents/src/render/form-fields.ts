import { type Block, type Box, type FormField, type Span, type Table, type TableCell, textOf } from '../document.ts';
import { MAX_LABEL_LENGTH, labelText, typedBoxes } from '../text/form-fields.ts';
import { blockText } from './text.ts';

/** A field of a form with the words beside it; `row` and `column` of the cell that it stands in. */
export interface FoundField extends FormField {
  readonly row?: number;
  readonly column?: number;
  /** Its page, where that is not the one that its block begins on. */
  readonly page?: number;
  /** Of that cell. */
  readonly cellBox?: Box;
}

/** Fields of one block; more come from lists that are no forms. */
const MAX_FIELDS = 2_000;

const isTick = ({ kind }: FormField) => kind === 'checkbox' || kind === 'radio';
const withLabel = (field: FormField, label: string | undefined): FormField =>
  field.label !== undefined || label === undefined ? field : { ...field, label };

/** Words from one end of the spans to the next field, or to a line break. */
function wordsBeside(spans: readonly Span[], at: number, step: 1 | -1): string {
  let words = '';
  for (let next = at + step; next >= 0 && next < spans.length; next += step) {
    const { text, field } = spans[next]!;
    if (field !== undefined || words.length > MAX_LABEL_LENGTH) break;
    words = step === 1 ? words + text : text + words;
  }
  const lines = words.split('\n');
  return (step === 1 ? lines[0] : lines.at(-1)) ?? '';
}

function spanFields(spans: readonly Span[]): readonly FormField[] {
  if (!spans.some(({ field }) => field !== undefined)) return typedBoxes(textOf(spans));
  return spans.flatMap(({ field }, at) => {
    if (field === undefined) return [];
    const before = labelText(wordsBeside(spans, at, -1));
    return [withLabel(field, isTick(field) ? (labelText(wordsBeside(spans, at, 1)) ?? before) : before)];
  });
}

/** What stands in the cell before it is the label of a cell to fill in. */
function cellBefore(byRow: ReadonlyMap<number, readonly TableCell[]>, { row, column }: TableCell): string | undefined {
  const before = byRow.get(row)?.find((cell) => cell.column + cell.columnSpan === column);
  return before === undefined ? undefined : labelText(before.blocks.map(blockText).join(' '));
}

/** The cells that stand in each row, those of rows above that reach into it too. */
function cellsByRow(table: Table): ReadonlyMap<number, readonly TableCell[]> {
  const byRow = new Map<number, TableCell[]>();
  for (const cell of table.cells) {
    for (let row = cell.row; row < cell.row + cell.rowSpan; row++) {
      const known = byRow.get(row);
      if (known === undefined) byRow.set(row, [cell]);
      else known.push(cell);
    }
  }
  return byRow;
}

function tableFields(table: Table): readonly FoundField[] {
  const found: FoundField[] = [];
  let byRow: ReadonlyMap<number, readonly TableCell[]> | undefined;
  for (const cell of table.cells) {
    if (found.length >= MAX_FIELDS) break;
    const fields = cell.blocks.flatMap(fieldsOfBlock);
    if (fields.length === 0) continue;
    const beside = fields.some((field) => !isTick(field) && field.label === undefined)
      ? cellBefore((byRow ??= cellsByRow(table)), cell)
      : undefined;
    const page = cell.page === undefined ? {} : { page: cell.page };
    const cellBox = cell.box === undefined ? {} : { cellBox: cell.box };
    for (const field of fields)
      found.push({
        ...page,
        ...cellBox,
        ...(isTick(field) ? field : withLabel(field, beside)),
        row: cell.row,
        column: cell.column,
      });
  }
  return found;
}

function fieldsOfBlock(block: Block): readonly FoundField[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return spanFields(block.spans);
    case 'list':
      return block.items.flatMap(({ checked, marker, spans }) =>
        checked === undefined
          ? spanFields(/^[☐☑☒]$/u.test(marker) ? [{ text: `${marker} ` }, ...spans] : spans)
          : [withLabel({ kind: 'checkbox', checked }, labelText(textOf(spans)))],
      );
    case 'table':
      return tableFields(block);
    case 'footnote':
    case 'header':
    case 'footer':
      return block.blocks.flatMap(fieldsOfBlock);
    default:
      return [];
  }
}

/** The fields of a form that stand in a block, in reading order: those of the file, and boxes that are letters of the text. */
export const formFieldsOf = (block: Block): readonly FoundField[] => fieldsOfBlock(block).slice(0, MAX_FIELDS);
