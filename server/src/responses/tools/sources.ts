import type { Annotation } from '@ai-studio/contract/responses/response.ts';

/** Where a part of an answer may come from; `key` tells passages of one document apart. */
export type Source =
  | { readonly type: 'file'; readonly key: string; readonly file_id: string; readonly filename: string }
  | { readonly type: 'url'; readonly key: string; readonly url: string; readonly title: string };

/** `[1]`, `[2, 5]`. */
const MARK = /\[(\d{1,5}(?:\s*[,，]\s*\d{1,5})*)\]/g;

/** What tools of one answer found, numbered from 1; what is found again keeps its number. */
export class SourceBook {
  readonly #sources: Source[] = [];
  readonly #numbers = new Map<string, number>();

  /** `before`: as {@link all} gave it. */
  constructor(before: readonly Source[] = []) {
    for (const source of before) this.number(source);
  }

  /** All of them, in the order of their numbers. */
  get all(): readonly Source[] {
    return this.#sources;
  }

  number(source: Source): number {
    const known = this.#numbers.get(source.key);
    if (known !== undefined) return known;
    this.#sources.push(source);
    this.#numbers.set(source.key, this.#sources.length);
    return this.#sources.length;
  }

  /** The sources that a text cites by their numbers in brackets, in order. */
  annotationsOf(text: string): readonly Annotation[] {
    return [...text.matchAll(MARK)].flatMap(({ 0: mark, 1: list = '', index }) =>
      list.split(/[,，]/).flatMap((number): Annotation[] => {
        const source = this.#sources[Number(number) - 1];
        if (source === undefined) return [];
        if (source.type === 'file')
          return [{ type: 'file_citation', file_id: source.file_id, filename: source.filename, index }];
        const { url, title } = source;
        return [{ type: 'url_citation', url, title, start_index: index, end_index: index + mark.length }];
      }),
    );
  }
}
