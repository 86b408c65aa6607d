import type { Table, TableCell } from '../document.ts';
import { labelKey, withoutUnit } from './labels.ts';
import { cellText } from './parts.ts';

/** Words that labels are, or end with: they tell a head from a value where nothing else does. */
const labelWords =
  /(?:명칭|이름|성명|성함|번호|금액|가격|단가|수량|일자|일시|날짜|기간|기한|주소|소재지|연락처|전화|휴대폰|팩스|이메일|부서|소속|직급|직위|직책|성별|나이|연령|구분|종류|유형|비고|규격|단위|합계|비율|예산|내용|사유|목적|방법|장소|대표자|담당자|책임자|생년월일|순번|연번|등급|(?:계약|사업|과제|업체|기관|회사|품|제품|물품|건|공사|용역|부서|파일|문서|항목|상품|학교|은행|예금주|법인|과목|제)명|(?:계약|시작|종료|만료|착공|준공|납품|발급|작성|신청|접수|등록|생|지급|결제)일|코드|name|date|number|amount|price|address|phone|email|department|title|position|type|unit|quantity|qty|total|remarks|note|status|code|city|country|age|^(?:상호|id|no|품목|업종|계))$/u;

const hasWords = (cell: TableCell | undefined): cell is TableCell => cell !== undefined && cellText(cell) !== '';
const namesSomething = (text: string) =>
  text.length <= 40 && labelWords.test(labelKey(withoutUnit(text)?.label ?? text));
/** Figures outside of brackets are those of values. */
const hasFigures = (cell: TableCell) => /\d/.test(cellText(cell).replaceAll(/[(（][^()（）]*[)）]/gu, ''));

/** Cells by the place that each begins at. */
const cellsByPlace = (table: Table): ReadonlyMap<string, TableCell> =>
  new Map(table.cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));

/** Tells on which side of a label its value stands: beside it in tables of pairs, below it in rows of heads. */
export class Sides {
  readonly #table: Table;
  readonly #cells: ReadonlyMap<string, TableCell>;
  readonly #isLabel: (text: string) => boolean;
  #byRow: ReadonlyMap<number, readonly TableCell[]> | undefined;
  /** Rows whose cells, those in even and those in odd columns, are heads. */
  readonly #heads = new Map<string, boolean>();

  constructor(table: Table, isLabel: (text: string) => boolean) {
    this.#table = table;
    this.#cells = cellsByPlace(table);
    this.#isLabel = isLabel;
  }

  at = (row: number, column: number): TableCell | undefined => this.#cells.get(`${row} ${column}`);
  beside = ({ row, column, columnSpan }: TableCell) => this.at(row, column + columnSpan);
  below = ({ row, column, rowSpan }: TableCell) => this.at(row + rowSpan, column);
  isLabelCell = (cell: TableCell) => this.#isLabel(cellText(cell));
  #names = (cell: TableCell) => this.isLabelCell(cell) || namesSomething(cellText(cell));

  /** Whether the value of this label stands below it; null for a label that has neither. */
  isBelow(label: TableCell): boolean | null {
    const [beside, below] = [this.beside(label), this.below(label)];
    if (!hasWords(beside)) return this.#isBelowBlank(beside, below);
    if (this.isLabelCell(beside)) return true;
    if (!hasWords(below) || this.isLabelCell(below) || hasFigures(beside)) return false;
    // Heads at the left, as pages mark them.
    if (label.header === true && beside.header !== true) return false;
    const [besideNames, belowNames] = [namesSomething(cellText(beside)), namesSomething(cellText(below))];
    if (besideNames !== belowNames) return besideNames;
    return label.row < this.#table.headerRows && (hasFigures(below) || this.#isHead(label));
  }

  /** Nothing stands beside it: what is below is its value, unless that is a label with a value of its own. */
  #isBelowBlank(beside: TableCell | undefined, below: TableCell | undefined): boolean | null {
    if (!hasWords(below) || this.isLabelCell(below)) return null;
    if (beside === undefined) return true;
    return namesSomething(cellText(below)) || hasWords(this.beside(below)) ? null : true;
  }

  /** A row that is marked as the head: pairs have an even number of cells, of which every other one is a label. */
  #isHead({ row, column }: TableCell): boolean {
    const key = `${row} ${column % 2}`;
    const known = this.#heads.get(key) ?? this.#isHeadOf(row, column % 2);
    this.#heads.set(key, known);
    return known;
  }

  #isHeadOf(row: number, side: number): boolean {
    this.#byRow ??= Map.groupBy(this.#table.cells, (cell) => cell.row);
    const cells = this.#byRow.get(row) ?? [];
    if (cells.some((cell) => cell.column % 2 !== side && this.#names(cell))) return true;
    return cells.length % 2 === 1 && !cells.some(hasFigures);
  }
}
