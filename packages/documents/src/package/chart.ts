import type { Picture } from '../document.ts';
import { childOf, childrenOf, innerText, type XmlElement } from './xml.ts';

/** Figures as people wrote them: files hold what computing in twos made of them, such as `4.4000000000000004`. */
export const figureText = (text: string): string =>
  /^-?\d+\.\d{12,}$/.test(text) ? String(Number(Number(text).toPrecision(12))) : text;

const valuesOf = (element: XmlElement | undefined): readonly string[] => {
  const values: string[] = [];
  const walk = (node: XmlElement): void => {
    for (const child of childrenOf(node)) {
      if (child.name === 'c:v') values.push(figureText(innerText(child)));
      else walk(child);
    }
  };
  if (element !== undefined) walk(element);
  return values;
};

const titleOf = (parent: XmlElement | undefined): string => {
  const title = childOf(parent, 'c:title');
  const texts: string[] = [];
  const walk = (node: XmlElement): void => {
    for (const child of childrenOf(node)) {
      if (child.name === 'a:t' || child.name === 'c:v') texts.push(innerText(child));
      else walk(child);
    }
  };
  if (title !== undefined) walk(title);
  return texts.join('').trim();
};

/** Title, axes, categories and figures of a chart: one line for each row of its table. */
function chartText(root: XmlElement): string {
  const chart = childOf(root, 'c:chart');
  const lines: string[] = [titleOf(chart)];
  for (const plot of childrenOf(childOf(chart, 'c:plotArea'))) {
    const axis = titleOf(plot);
    if (axis !== '') lines.push(axis);
    for (const series of childrenOf(plot, 'c:ser')) {
      const name = valuesOf(childOf(series, 'c:tx')).join(' ');
      const categories = valuesOf(childOf(series, 'c:cat') ?? childOf(series, 'c:xVal'));
      const values = valuesOf(childOf(series, 'c:val') ?? childOf(series, 'c:yVal'));
      const pairs = values.map((value, at) => (categories[at] === undefined ? value : `${categories[at]}: ${value}`));
      lines.push([name, pairs.join(', ')].filter((part) => part !== '').join(' — '));
    }
  }
  return lines.filter((line) => line !== '').join('\n');
}

/** Larger tables of figures are clouds of points; their text must do. */
const MAX_CATEGORIES = 500;
const MAX_SERIES = 50;

/** The figures of a chart as a table; null where its series have other categories each, or none. */
function chartFigures(root: XmlElement): readonly (readonly string[])[] | null {
  const chart = childOf(root, 'c:chart');
  const series = [...childrenOf(childOf(chart, 'c:plotArea'))].flatMap((plot) =>
    [...childrenOf(plot, 'c:ser')].map((one) => ({
      name: valuesOf(childOf(one, 'c:tx')).join(' '),
      categories: valuesOf(childOf(one, 'c:cat')),
      values: valuesOf(childOf(one, 'c:val')),
    })),
  );
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const fits = series.every(
    (one) =>
      one.values.length === categories.length &&
      (one.categories.length === 0 || one.categories.every((category, at) => category === categories[at])),
  );
  if (!fits || categories.length === 0 || categories.length > MAX_CATEGORIES || series.length > MAX_SERIES) return null;
  return [
    [titleOf(chart), ...series.map(({ name }) => name)],
    ...categories.map((category, at) => [category, ...series.map(({ values }) => values[at] ?? '')]),
  ];
}

/** What a chart or a diagram says. */
export type GraphicWords = Pick<Picture, 'text' | 'figures'>;

/** Words without figures; nothing for an empty text. */
export const graphicText = (text: string): GraphicWords => (text === '' ? {} : { text });

/** The words and figures of a chart. */
export function chartWords(root: XmlElement): GraphicWords {
  const text = chartText(root);
  const figures = text === '' ? null : chartFigures(root);
  return figures === null ? graphicText(text) : { text, figures };
}

/** The words of a diagram, one line for each paragraph. */
export function diagramText(root: XmlElement): string {
  const lines: string[] = [];
  const walk = (node: XmlElement): void => {
    for (const child of childrenOf(node)) {
      if (child.name !== 'a:p') walk(child);
      else {
        const line = innerText(child).trim();
        if (line !== '') lines.push(line);
      }
    }
  };
  walk(root);
  return lines.join('\n');
}
