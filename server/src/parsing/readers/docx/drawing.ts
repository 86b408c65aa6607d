import type { Picture } from '../../document.ts';
import type { FlowItem } from '../../package/flow.ts';
import { attributeOf, childOf, childrenOf, innerText, type XmlElement } from '../../package/xml.ts';
import type { Story } from './reading.ts';

/** Of two forms of the same thing the newer one. */
export function chosenOf(alternate: XmlElement): XmlElement | undefined {
  return childOf(alternate, 'mc:Choice') ?? childOf(alternate, 'mc:Fallback');
}

type ReadBox = (content: XmlElement, story: Story) => readonly FlowItem[];

/** Pictures, charts and boxes of text within a drawing, in their order. */
export function readDrawing(drawing: XmlElement, story: Story, readBox: ReadBox): readonly FlowItem[] {
  const items: FlowItem[] = [];
  const page = story.isBody ? story.reading.pages.current() : null;
  const picture = (alt: string | undefined, text?: string): void => {
    const given = alt?.trim();
    const image: Picture = {
      type: 'image',
      page,
      source: story.part,
      ...(given ? { alt: given } : {}),
      ...(text ? { text } : {}),
    };
    items.push(image);
  };
  const graphic = (id: string | undefined, alt: string | undefined): void => {
    const target = story.relations.get(id ?? '')?.target;
    picture(alt, target === undefined ? undefined : story.reading.graphics.get(target));
  };
  const walk = (element: XmlElement, alt: string | undefined): void => {
    for (const child of childrenOf(element)) {
      const { name, attributes } = child;
      if (name === 'mc:AlternateContent') {
        const chosen = chosenOf(child);
        if (chosen !== undefined) walk(chosen, alt);
      } else if (name === 'w:txbxContent') items.push(...readBox(child, story));
      else if (name === 'a:blip' || name === 'v:imagedata') picture(alt ?? attributes['o:title']);
      else if (name === 'c:chart') graphic(attributes['r:id'], alt);
      else if (name === 'dgm:relIds') graphic(attributes['r:dm'], alt);
      else if (name === 'v:textpath') {
        const text = attributes['string'] ?? '';
        if (text !== '') items.push({ type: 'line', spans: [{ text }], page, source: story.part });
      } else walk(child, attributes['alt'] ?? alt);
    }
  };
  for (const frame of childrenOf(drawing)) {
    // The frame of DrawingML names its picture beside it.
    const properties = childOf(frame, 'wp:docPr');
    const alt = attributeOf(properties, 'descr') || attributeOf(properties, 'title');
    if (properties === undefined) walk({ name: '', attributes: {}, children: [frame] }, alt);
    else walk(frame, alt);
  }
  return items;
}

const valuesOf = (element: XmlElement | undefined): readonly string[] => {
  const values: string[] = [];
  const walk = (node: XmlElement): void => {
    for (const child of childrenOf(node)) {
      if (child.name === 'c:v') values.push(innerText(child));
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
