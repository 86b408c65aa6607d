/** Numbers of borders and grounds, as the text refers to them. */
export const borders = { none: 1, plain: 2, cell: 3, head: 4, code: 5, quote: 6 } as const;
