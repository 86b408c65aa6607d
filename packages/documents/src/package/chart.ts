import { childOf, childrenOf, innerText, type XmlElement } from './xml.ts';

/** Figures as people wrote them: files hold what computing in twos made of them, such as `4.4000000000000004`. */
const figureText = (text: string): string =>
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
export function chartText(root: XmlElement): string {
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
