const segmenter = new Intl.Segmenter('ko', { granularity: 'sentence' });

/** Full stops that end no sentence: in dates such as `2026. 11. 21.`, section numbers and initials. */
const notSentenceEnd = /(?:^|\s)\d{1,4}\.\s*$|(?:^|\s)(?:[A-Z]|Mr|Ms|Dr|No|vs|e\.g|i\.e|[가-하])\.\s*$/u;

/** Letters at the end of a sentence that are checked. */
const TAIL_LENGTH = 64;

/** Sentences of a text; joined they are the text. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    const end = index + segment.length;
    // The end alone tells: a text of nothing but numbers would be looked through again and again.
    if (notSentenceEnd.test(text.slice(Math.max(from, end - TAIL_LENGTH), end))) continue;
    sentences.push(text.slice(from, end));
    from = end;
  }
  if (from < text.length) sentences.push(text.slice(from));
  return sentences;
}
