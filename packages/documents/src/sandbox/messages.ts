import type { PackedDocument } from '../pack.ts';
import type { ParseErrorCode } from '../parse-error.ts';
import type { OcrOptions, ParseLimits } from '../reader.ts';
import type { EarlierWork, PageStep, WorkLimits } from '../work.ts';

/** What a child is asked: one document at a time. */
export interface ParseJob {
  /** File with the bytes, which the child may read. */
  readonly path: string;
  /** What the user called it. */
  readonly name: string | null;
  readonly pages: readonly number[] | null;
  readonly limits: ParseLimits;
  /** `auto` when left out. `file`: what the file says itself, no pictures; `layout`: the pages as they are seen. */
  readonly parser?: 'auto' | 'layout' | 'file';
}

/** A job as it goes to a child. */
export interface ParseOrder extends ParseJob {
  readonly ocr: OcrOptions;
  readonly work: WorkLimits;
  /** With parts as they were packed. */
  readonly earlier: EarlierWork;
}

/** A page that a process has begun. */
export interface BegunPage {
  readonly page: number;
  readonly step: PageStep;
  /** Processor time that the process had had by then, in ms. */
  readonly cpuMs: number;
}

/** A page that a child is asked to draw. */
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

/** What a child says. */
export type ChildMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'page'; readonly done: number; readonly total: number | null }
  | ({ readonly type: 'begun' } & BegunPage)
  | { readonly type: 'part'; readonly page: number; readonly packed: Uint8Array }
  | { readonly type: 'document'; readonly packed: PackedDocument }
  | { readonly type: 'picture'; readonly png: Uint8Array }
  | { readonly type: 'refused'; readonly code: ParseErrorCode; readonly message: string };
