/** What is for the page alone: buttons, and the drawing of formulas whose MathML stands beside it. */
const LEFT_OUT = 'button, figcaption, svg, .katex-html, [aria-hidden="true"]';

/** What office programs and mail understand of an element. */
const KEPT = new Set(['href', 'colspan', 'rowspan', 'start', 'align']);

/**
 * An answer as it is drawn, as HTML for office programs: headings, lists, tables, links and formulas, without what is for the page alone.
 * Marks of sources stay as [1].
 */
export function richHtml(drawn: Element): string {
  const copy = drawn.cloneNode(true) as Element;
  for (const mark of copy.querySelectorAll('button[data-source]'))
    mark.replaceWith(`[${mark.getAttribute('data-source') ?? ''}]`);
  for (const one of copy.querySelectorAll(LEFT_OUT)) one.remove();
  for (const one of copy.querySelectorAll('*'))
    for (const name of one.getAttributeNames()) if (!KEPT.has(name)) one.removeAttribute(name);
  for (const table of copy.querySelectorAll('table')) table.setAttribute('border', '1');
  return copy.innerHTML;
}
