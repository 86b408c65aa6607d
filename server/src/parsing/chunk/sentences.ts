const segmenter = new Intl.Segmenter('ko', { granularity: 'sentence' });

/** Ends that are none: dates such as `2026. 11. 21.`, numbers of sections, initials. */
const goesOn = /(?:^|\s)\d{1,4}\.\s*$|(?:^|\s)(?:[A-Z]|Mr|Ms|Dr|No|vs|e\.g|i\.e|[가-하])\.\s*$/u;

/** Sentences of a text; joined they are the text. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let open = '';
  for (const { segment } of segmenter.segment(text)) {
    open += segment;
    if (goesOn.test(open)) continue;
    sentences.push(open);
    open = '';
  }
  if (open !== '') sentences.push(open);
  return sentences;
}
