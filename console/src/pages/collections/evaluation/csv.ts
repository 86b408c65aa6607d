import { csvRecords } from '../../../parts/csv.ts';

/** Why a file is no list of questions. */
export type FileError = 'columns' | 'empty' | 'quotes';

/** A line of the file: its number as editors count, from 1. */
export interface QuestionRow {
  readonly row: number;
  readonly question: string;
  readonly documents: readonly string[];
}

const isQuestion = (name: string) => /^(question|query|질문|질의)$/i.test(name.trim());
const isDocuments = (name: string) => /^(documents?|expected|정답|문서|정답 ?문서)$/i.test(name.trim());

/** Questions of a CSV file, whatever separates its cells; those of rows without either are told of later. */
export function parseQuestions(text: string): readonly QuestionRow[] | FileError {
  const records = csvRecords(text);
  if (records === null) return 'quotes';
  const [names, ...rows] = records;
  const question = names?.cells.findIndex(isQuestion) ?? -1;
  const documents = names?.cells.findIndex(isDocuments) ?? -1;
  if (question === -1 || documents === -1) return 'columns';
  if (rows.length === 0) return 'empty';
  return rows.map(({ row, cells }) => ({
    row,
    question: (cells[question] ?? '').trim(),
    documents: (cells[documents] ?? '')
      .split(/[;\n|]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  }));
}
