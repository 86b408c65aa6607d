/** Elements that are drawn. */
export const shapeElements: ReadonlySet<string> = new Set(
  'pic container ole chart line rect ellipse arc polygon curve connectLine textart video unknownObject'
    .split(' ')
    .map((name) => `hp:${name}`),
);

const others: ReadonlySet<string> = new Set(
  'tbl t ctrl equation edit btn radioBtn checkBtn comboBox listBox'.split(' ').map((name) => `hp:${name}`),
);

/** Elements that stand in the runs of a paragraph; some programs write them beside paragraphs. */
export const isInline = (name: string): boolean => shapeElements.has(name) || others.has(name);
