/**
 * A line of Markdown that begins with a date and no list: two marks of lists one right after the other, as in `2025. 11. 28.` and
 * `3. 15. 회의`, or a number that no list begins with.
 */
export const dateLine = /^ {0,3}(?:\d{4,9}[.)](?=\s|$)|\d{1,9}[.)][ \t]+\d{1,2}[.)](?!\d))/;
