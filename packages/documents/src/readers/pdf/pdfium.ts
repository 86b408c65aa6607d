import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PDFiumModule } from '@hyzyla/pdfium';

/** Addresses and handles of the library are numbers. */
type Call = (...values: number[]) => number;

const calls = [
  'malloc',
  'free',
  'FPDF_InitLibraryWithConfig',
  'FPDF_LoadMemDocument',
  'FPDF_CloseDocument',
  'FPDF_GetLastError',
  'FPDF_GetPageCount',
  'FPDF_GetMetaText',
  'FPDF_LoadPage',
  'FPDF_RenderPageBitmap',
  'FPDFBitmap_CreateEx',
  'FPDFBitmap_FillRect',
  'FPDFBitmap_GetBuffer',
  'FPDFBitmap_GetStride',
  'FPDFBitmap_Destroy',
  'FPDF_ClosePage',
  'FPDF_GetPageWidthF',
  'FPDF_GetPageHeightF',
  'FPDF_GetPageBoundingBox',
  'FPDFPage_GetRotation',
  'FPDFPage_CountObjects',
  'FPDFPage_GetObject',
  'FPDFPageObj_GetType',
  'FPDFPageObj_GetMatrix',
  'FPDFPageObj_GetFillColor',
  'FPDFPageObj_GetStrokeColor',
  'FPDFPageObj_GetMarkedContentID',
  'FPDFImageObj_GetImagePixelSize',
  'FPDFPath_CountSegments',
  'FPDFPath_GetPathSegment',
  'FPDFPath_GetDrawMode',
  'FPDFPathSegment_GetPoint',
  'FPDFPathSegment_GetType',
  'FPDFPathSegment_GetClose',
  'FPDFFormObj_CountObjects',
  'FPDFFormObj_GetObject',
  'FPDFTextObj_GetTextRenderMode',
  'FPDFTextObj_GetFont',
  'FPDFFont_GetBaseFontName',
  'FPDFFont_GetFlags',
  'FPDFFont_GetWeight',
  'FPDFText_LoadPage',
  'FPDFText_ClosePage',
  'FPDFText_CountChars',
  'FPDFText_GetUnicode',
  'FPDFText_IsGenerated',
  'FPDFText_HasUnicodeMapError',
  'FPDFText_GetLooseCharBox',
  'FPDFText_GetCharOrigin',
  'FPDFText_GetTextObject',
  'FPDFText_GetFontSize',
  'FPDFText_GetMatrix',
  'FPDFDOC_InitFormFillEnvironment',
  'FPDFDOC_ExitFormFillEnvironment',
  'FPDFPage_GetAnnotCount',
  'FPDFPage_GetAnnot',
  'FPDFPage_CloseAnnot',
  'FPDFAnnot_GetSubtype',
  'FPDFAnnot_GetFileAttachment',
  'FPDFAnnot_GetFlags',
  'FPDFAnnot_GetRect',
  'FPDFAnnot_GetStringValue',
  'FPDFAnnot_GetFormFieldType',
  'FPDFAnnot_GetFormFieldName',
  'FPDFAnnot_GetFormFieldAlternateName',
  'FPDFAnnot_GetFormFieldValue',
  'FPDFAnnot_GetOptionCount',
  'FPDFAnnot_GetOptionLabel',
  'FPDFAnnot_GetFontSize',
  'FPDFAnnot_IsChecked',
  'FPDFLink_Enumerate',
  'FPDFLink_GetAnnotRect',
  'FPDFLink_GetAction',
  'FPDFAction_GetType',
  'FPDFAction_GetURIPath',
  'FPDFBookmark_GetFirstChild',
  'FPDFBookmark_GetNextSibling',
  'FPDFBookmark_GetTitle',
  'FPDFBookmark_GetDest',
  'FPDFBookmark_GetAction',
  'FPDFAction_GetDest',
  'FPDFDest_GetDestPageIndex',
  'FPDFDoc_GetAttachmentCount',
  'FPDFDoc_GetAttachment',
  'FPDFAttachment_GetName',
  'FPDFAttachment_GetFile',
  'FPDFCatalog_IsTagged',
  'FPDF_StructTree_GetForPage',
  'FPDF_StructTree_Close',
  'FPDF_StructTree_CountChildren',
  'FPDF_StructTree_GetChildAtIndex',
  'FPDF_StructElement_GetType',
  'FPDF_StructElement_GetLang',
  'FPDF_StructElement_GetAltText',
  'FPDF_StructElement_CountChildren',
  'FPDF_StructElement_GetChildAtIndex',
  'FPDF_StructElement_GetMarkedContentIdCount',
  'FPDF_StructElement_GetMarkedContentIdAtIndex',
] as const;

/** The functions of PDFium that are used, and its memory. Source: the headers of PDFium (`public/fpdf*.h`). */
export interface Pdfium extends Readonly<Record<(typeof calls)[number], Call>> {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Room for what a call gives back: 256 bytes. */
  readonly scratch: number;
}

/** A file whose content makes more of it than this is refused; ordinary files need some megabytes above their own size. */
const MAX_MEMORY_BYTES = 400 * 1024 * 1024;
const WASM_PAGE_BYTES = 65_536;

interface Instance {
  readonly exports: Readonly<Record<string, unknown>>;
}
interface WasmNamespace {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<Instance>;
}
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The compiler's own types are those of browsers; this is what is used of it. */
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmNamespace };

/** Compiles PDFium once; each call of what it returns makes an instance with memory of its own, bounded. */
export async function compilePdfium(): Promise<() => Promise<Pdfium>> {
  const path = createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm');
  const compiled = await wasm.compile(await readFile(path));
  return async () => {
    let made: Readonly<Record<string, unknown>> = {};
    const options = {
      print: () => undefined,
      printErr: () => undefined,
      instantiateWasm: (
        imports: Record<string, Record<string, unknown>>,
        done: (instance: Instance, module: object) => void,
      ) => {
        const bounded = Object.fromEntries(
          Object.entries(imports).map(([name, part]) => [
            name,
            'emscripten_resize_heap' in part ? { ...part, emscripten_resize_heap: grow } : part,
          ]),
        );
        const start = async () => {
          const instance = await wasm.instantiate(compiled, bounded);
          made = instance.exports;
          done(instance, compiled);
        };
        void start();
        return {};
      },
    };
    const grow = (wanted: number): number => {
      const memory = made['memory'] as Memory;
      const bytes = wanted >>> 0;
      if (bytes > MAX_MEMORY_BYTES) return 0;
      const target = Math.min(MAX_MEMORY_BYTES, Math.max(bytes, memory.buffer.byteLength * 1.2));
      try {
        memory.grow(Math.ceil((target - memory.buffer.byteLength) / WASM_PAGE_BYTES));
        return 1;
      } catch {
        // No memory left: the library gets 0, and gives up.
        return 0;
      }
    };
    await (PDFiumModule as unknown as (options: object) => Promise<unknown>)(options);
    const pdfium = {
      ...Object.fromEntries(calls.map((name) => [name, made[name]])),
      memory: made['memory'],
    } as unknown as Pdfium;
    const config = pdfium.malloc(32);
    new Uint8Array(pdfium.memory.buffer).fill(0, config, config + 32);
    new Uint32Array(pdfium.memory.buffer)[config >> 2] = 2;
    pdfium.FPDF_InitLibraryWithConfig(config);
    return { ...pdfium, scratch: pdfium.malloc(256) };
  };
}

/** Text that a call gives as UTF-16, its own length in bytes with the closing null being what it returns. */
export function wideText(pdfium: Pdfium, call: (buffer: number, bytes: number) => number, most = 8_192): string {
  const bytes = call(0, 0);
  if (bytes <= 2 || bytes > most) return '';
  const buffer = pdfium.malloc(bytes);
  call(buffer, bytes);
  const text = Buffer.from(pdfium.memory.buffer, buffer, bytes - 2).toString('utf16le');
  pdfium.free(buffer);
  return text.replaceAll('\0', '').toWellFormed();
}

/** The same for calls that give bytes (UTF-8 or ASCII). */
export function narrowText(pdfium: Pdfium, call: (buffer: number, bytes: number) => number, most = 8_192): string {
  const bytes = call(0, 0);
  if (bytes <= 1 || bytes > most) return '';
  const buffer = pdfium.malloc(bytes);
  call(buffer, bytes);
  const text = Buffer.from(pdfium.memory.buffer, buffer, bytes - 1).toString('utf8');
  pdfium.free(buffer);
  return text.replaceAll('\0', '').toWellFormed();
}
