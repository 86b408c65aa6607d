import type { FormField } from '../../document.ts';
import { formField } from '../../text/form-fields.ts';
import { eachAnnotation, isHidden } from './annotations.ts';
import { type Frame, type Rect, rectInFrame } from './geometry.ts';
import { type Pdfium, wideText } from './pdfium.ts';

/** Numbers of the library. Source: `fpdf_annot.h` (FPDF_ANNOT_*), `fpdf_formfill.h` (FPDF_FORMFIELD_*). */
const SUBTYPE = { freeText: 3, widget: 20 } as const;
const FIELD_TYPE = { checkbox: 2, radio: 3, combo: 4, list: 5, text: 6 } as const;
const FORM_INFO_BYTES = 256;

/** Options of a choice and letters of a value; more come from damage. */
const MAX_OPTIONS = 200;
const MAX_VALUE_BYTES = 65_536;

/** A field of a form on a page, or words that somebody typed over it. */
export interface Widget extends Rect {
  readonly field: FormField | null;
  readonly text: string;
  /** Points; 0 where the program chooses it. */
  readonly size: number;
}

/** Runs `read` with the library's view of the form; it runs no script and calls nobody back. */
function withForm<Result>(pdfium: Pdfium, document: number, read: (form: number) => Result): Result {
  const info = pdfium.malloc(FORM_INFO_BYTES);
  new Uint8Array(pdfium.memory.buffer).fill(0, info, info + FORM_INFO_BYTES);
  new Uint32Array(pdfium.memory.buffer)[info >> 2] = 1;
  const form = pdfium.FPDFDOC_InitFormFillEnvironment(document, info);
  try {
    return read(form);
  } finally {
    if (form !== 0) pdfium.FPDFDOC_ExitFormFillEnvironment(form);
    pdfium.free(info);
  }
}

function choiceOptions(pdfium: Pdfium, form: number, annotation: number): readonly string[] {
  const count = Math.min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), MAX_OPTIONS);
  return Array.from({ length: Math.max(0, count) }, (_, at) =>
    wideText(pdfium, (buffer, bytes) => pdfium.FPDFAnnot_GetOptionLabel(form, annotation, at, buffer, bytes)),
  ).filter((label) => label !== '');
}

/** A text or a name of an annotation's own dictionary; empty where it has none. */
function entryOf(pdfium: Pdfium, annotation: number, key: 'AS' | 'Contents'): string {
  const name = pdfium.malloc(key.length + 1);
  new Uint8Array(pdfium.memory.buffer).set(Buffer.from(`${key}\0`), name);
  const text = wideText(
    pdfium,
    (buffer, bytes) => pdfium.FPDFAnnot_GetStringValue(annotation, name, buffer, bytes),
    MAX_VALUE_BYTES,
  );
  pdfium.free(name);
  return text.trim();
}

/** By the appearance that is shown; the library's own view wants each of them to be there. */
function isChecked(pdfium: Pdfium, form: number, annotation: number): boolean {
  const shown = entryOf(pdfium, annotation, 'AS');
  return shown === '' ? pdfium.FPDFAnnot_IsChecked(form, annotation) === 1 : shown !== 'Off';
}

/** The field of a widget; null for a button or a signature. The words that programs show beside the pointer are its label. */
function fieldOf(pdfium: Pdfium, form: number, annotation: number): FormField | null {
  const text = (call: (form: number, annotation: number, buffer: number, bytes: number) => number, most?: number) =>
    wideText(pdfium, (buffer, bytes) => call(form, annotation, buffer, bytes), most).trim();
  const type = pdfium.FPDFAnnot_GetFormFieldType(form, annotation);
  const name = text(pdfium.FPDFAnnot_GetFormFieldName);
  const label = text(pdfium.FPDFAnnot_GetFormFieldAlternateName);
  switch (type) {
    case FIELD_TYPE.checkbox:
    case FIELD_TYPE.radio: {
      const kind = type === FIELD_TYPE.radio ? 'radio' : 'checkbox';
      return formField({ kind, name, label, checked: isChecked(pdfium, form, annotation) });
    }
    case FIELD_TYPE.combo:
    case FIELD_TYPE.list: {
      const value = text(pdfium.FPDFAnnot_GetFormFieldValue, MAX_VALUE_BYTES);
      return formField({ kind: 'choice', name, label, value, options: choiceOptions(pdfium, form, annotation) });
    }
    case FIELD_TYPE.text:
      return formField({ kind: 'text', name, label, value: text(pdfium.FPDFAnnot_GetFormFieldValue, MAX_VALUE_BYTES) });
    default:
      return null;
  }
}

function widgetOf(pdfium: Pdfium, form: number, annotation: number, frame: Frame): Widget | null {
  const subtype = pdfium.FPDFAnnot_GetSubtype(annotation);
  if (isHidden(pdfium, annotation)) return null;
  if (pdfium.FPDFAnnot_GetRect(annotation, pdfium.scratch) === 0) return null;
  const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(pdfium.memory.buffer, pdfium.scratch, 4);
  if (![left, top, right, bottom].every(Number.isFinite)) return null;
  const rect = rectInFrame(frame, left, bottom, right, top);
  if (subtype === SUBTYPE.freeText) {
    const text = entryOf(pdfium, annotation, 'Contents');
    return text === '' ? null : { ...rect, field: null, text, size: 0 };
  }
  if (subtype !== SUBTYPE.widget || form === 0) return null;
  const field = fieldOf(pdfium, form, annotation);
  if (field === null) return null;
  const sized = pdfium.FPDFAnnot_GetFontSize(form, annotation, pdfium.scratch) === 1;
  const size = sized ? (new Float32Array(pdfium.memory.buffer, pdfium.scratch, 1)[0] ?? 0) : 0;
  return { ...rect, field, text: field.value ?? '', size };
}

/** Fields of forms on a page, and words that were typed over it; hidden ones are left out. */
export function widgetsOf(pdfium: Pdfium, document: number, page: number, frame: Frame): readonly Widget[] {
  if (pdfium.FPDFPage_GetAnnotCount(page) <= 0) return [];
  return withForm(pdfium, document, (form) =>
    eachAnnotation(pdfium, page, (annotation) => widgetOf(pdfium, form, annotation, frame)),
  );
}
