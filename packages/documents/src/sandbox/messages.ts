import type { PackedDocument } from '../pack.ts';
import type { OfficeTarget, ParseErrorCode } from '../parse-error.ts';
import type { OcrOptions, ParseLimits } from '../reader.ts';
import type { SeenPages } from '../readers/seen.ts';
import type { WorkCheckpoint, PageStep, WorkLimits } from '../work.ts';

/** A document to read. */
export interface ParseJob {
  /** File with the bytes, which the child may read. */
  readonly path: string;
  /** File name that the user gave. */
  readonly name: string | null;
  readonly pages: readonly number[] | null;
  readonly limits: ParseLimits;
  /** `auto` when left out. `file`: what the file says itself, no pictures; `layout`: the pages as they are seen. */
  readonly parser?: 'auto' | 'layout' | 'file';
  /** Pages that others have read from their pictures: those are taken, and the rest of `seen` is read here. */
  readonly seen?: SeenPages;
  /** An office program saves older formats as newer ones. */
  readonly hasOffice?: boolean;
  /** An office program has saved it as another format. */
  readonly converted?: boolean;
}

/** A job as it is sent to a child. */
export interface ParseTask extends ParseJob {
  readonly ocr: OcrOptions;
  readonly work: WorkLimits;
  /** With parts as they were packed. */
  readonly earlier: WorkCheckpoint;
}

/** The page that a process works on. */
export interface CurrentPage {
  readonly page: number;
  readonly step: PageStep;
  /** Processor time that the process had had by then, in ms. */
  readonly cpuMs: number;
}

/** A page to draw. */
export interface PictureJob {
  /** File with the bytes, which the child may read. */
  readonly path: string;
  readonly picture: {
    /** From 1. */
    readonly page: number;
    /** Pixels. */
    readonly width: number;
  };
}

/** A page as a picture. */
export interface DrawnPage {
  readonly png: Uint8Array;
  /** Of the document. */
  readonly pages: number;
}

/** Messages from a child. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'page'; readonly done: number; readonly total: number | null }
  | ({ readonly type: 'begun' } & CurrentPage)
  | { readonly type: 'part'; readonly page: number; readonly packed: Uint8Array }
  | { readonly type: 'document'; readonly packed: PackedDocument }
  | ({ readonly type: 'picture' } & DrawnPage)
  | {
      readonly type: 'refused';
      readonly code: ParseErrorCode;
      readonly message: string;
      readonly savedAs?: OfficeTarget | undefined;
    };
